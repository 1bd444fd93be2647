// A drawing of the page as an SVG text that carries its styles as attributes.

const SVG = "http://www.w3.org/2000/svg";
const COLOURS = ["fill", "stroke"];
const INHERITED = [
  "fill-opacity",
  "stroke-opacity",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "font-family",
  "font-size",
  "font-style",
  "font-weight",
  "text-anchor",
  "dominant-baseline",
  "paint-order",
];
const NOT_IN_FILES = /^(class|style|id|role|tabindex|aria-.*|data-.*)$/;
const DRAWN = ["path", "rect", "circle", "ellipse", "line", "polygon", "polyline", "text", "tspan"];

/**
 * A computed colour in the notation that every program knows, and its opacity: `rgb(10, 102, 194)`, 0.22.
 *
 * @param {string} computed
 * @returns {[colour: string, opacity: number]}
 */
export function plainColour(computed) {
  const [, space, list] = /^(rgba?|color)\((?:srgb )?(.*)\)$/.exec(computed) ?? [];
  if (list === undefined) return [computed, 1];
  const [red, green, blue, alpha = 1] = list.split(/[\s,/]+/).map(Number);
  const scale = space === "color" ? 255 : 1;
  const parts = [red, green, blue].map((one) => Math.round(scale * one));
  return alpha === 0 ? ["none", 1] : [`rgb(${parts.join(", ")})`, alpha];
}

/**
 * A name for a file, made of words: `zermelo-connect-four-after-5-moves`.
 *
 * @param {...string} words
 */
export const fileName = (...words) =>
  ["zermelo", ...words]
    .join("-")
    .toLowerCase()
    .replace(/\^/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 80);

/**
 * The drawing as a text that needs no style sheet.
 *
 * @param {SVGSVGElement} drawing
 * @param {string} title
 */
export function svgText(drawing, title) {
  const box = drawing.viewBox.baseVal;
  const { width, height } = box?.width ? box : drawing.getBoundingClientRect();
  const [x, y] = box?.width ? [box.x, box.y] : [0, 0];
  const copy = /** @type {SVGSVGElement} */ (drawing.cloneNode(true));
  inline(drawing, copy, new Map());
  for (const [name, value] of Object.entries({ xmlns: SVG, width, height, viewBox: `${x} ${y} ${width} ${height}` }))
    copy.setAttribute(name, String(value));
  const paper = document.createElementNS(SVG, "rect");
  const [ground] = plainColour(paperOf(drawing));
  for (const [name, value] of Object.entries({ x, y, width, height, fill: ground, stroke: "none" }))
    paper.setAttribute(name, String(value));
  const caption = document.createElementNS(SVG, "title");
  caption.textContent = title;
  copy.prepend(caption, paper);
  return new XMLSerializer().serializeToString(copy).replace(/<!--.*?-->/gs, "");
}

/**
 * The colour behind a drawing: that of the nearest element that has one.
 *
 * @param {Element} drawing
 */
function paperOf(drawing) {
  for (let above = drawing.parentElement; above; above = above.parentElement) {
    const { backgroundColor } = getComputedStyle(above);
    if (plainColour(backgroundColor)[0] !== "none") return backgroundColor;
  }
  return "rgb(255, 255, 255)";
}

/**
 * Write the computed style of an element and of all below it as attributes of their copies, where it differs from what
 * they inherit; what is not visible is left out.
 *
 * @param {Element} original
 * @param {Element} copy
 * @param {Map<string, string>} inherited
 */
function inline(original, copy, inherited) {
  const style = getComputedStyle(original);
  const isHidden = style.display === "none" || style.visibility === "hidden";
  if (isHidden || isUnseen(original, style)) {
    copy.remove();
    return;
  }
  for (const { name } of [...copy.attributes]) if (NOT_IN_FILES.test(name)) copy.removeAttribute(name);
  const own = stylesOf(style);
  for (const [name, value] of own) if (inherited.get(name) !== value) copy.setAttribute(name, value);
  if (style.opacity !== "1") copy.setAttribute("opacity", style.opacity);
  const children = [...original.children];
  [...copy.children].forEach((child, nth) => {
    if (children[nth].tagName === "foreignObject") child.replaceWith(fieldAsText(children[nth]));
    else inline(children[nth], child, own);
  });
}

/** @param {CSSStyleDeclaration} style */
function stylesOf(style) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const name of INHERITED) found.set(name, style.getPropertyValue(name));
  for (const name of COLOURS) {
    const [colour, opacity] = plainColour(style.getPropertyValue(name));
    found.set(name, colour);
    if (opacity !== 1) found.set(`${name}-opacity`, String(opacity));
  }
  return found;
}

/**
 * Whether a shape has neither a colour nor a line: it is there to be clicked.
 *
 * @param {Element} shape
 * @param {CSSStyleDeclaration} style
 */
function isUnseen(shape, style) {
  const isEmpty = COLOURS.every((name) => plainColour(style.getPropertyValue(name))[0] === "none");
  return shape.tagName === "title" || shape.tagName === "desc" || (DRAWN.includes(shape.tagName) && isEmpty);
}

/**
 * A field of an exercise, as the text that was typed.
 *
 * @param {Element} field
 */
function fieldAsText(field) {
  const text = document.createElementNS(SVG, "text");
  const number = (/** @type {string} */ name) => Number(field.getAttribute(name) ?? 0);
  text.setAttribute("x", String(number("x")));
  text.setAttribute("y", String(number("y") + 18));
  text.setAttribute("text-anchor", "start");
  text.textContent = field.querySelector("input")?.value ?? "";
  return text;
}
