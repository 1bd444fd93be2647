// Pictures of the page as files: SVG, or a PNG made of it.

import { html } from "./vendor/lit-html.js";

/** @typedef {{svg: string, name: string}} Picture a drawing as text, and the name of its file */

const SHARPNESS = 2; // pixels of a PNG for each unit of the drawing

/** @param {Picture} picture */
const saveSvg = (picture) => download(new Blob([picture.svg], { type: "image/svg+xml" }), `${picture.name}.svg`);

/** @param {Picture} picture */
async function savePng(picture) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture.svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [SHARPNESS * image.naturalWidth, SHARPNESS * image.naturalHeight];
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => blob && download(blob, `${picture.name}.png`), "image/png");
}

/**
 * @param {Blob} content
 * @param {string} name
 */
function download(content, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/**
 * The buttons that save a picture; `take` draws it.
 *
 * @param {string} label
 * @param {() => Picture} take
 */
export const pictureButtons = (label, take) => html`<div class="picture" role="group" aria-label=${label}>
    <span>${label}</span>
    <button type="button" class="button" aria-label="${label} SVG" @click=${() => saveSvg(take())}>SVG</button>
    <button type="button" class="button" aria-label="${label} PNG" @click=${() => savePng(take())}>PNG</button>
  </div>`;
