// The keys of the inside page.

/** @import { InsidePage } from "./inside-page.js" */

export const KEYS = [
  ["← → or , .", "one step back or forward"],
  ["Home, End, Space", "first step, last step, play and pause"],
  ["Tab, arrows, Enter", "go into the tree, move, select and open (again to close); in an exercise, mark"],
  ["Escape", "go from the selected node back to the search"],
  ["Shift and arrows", "move the tree; + − 0 zoom; or drag, pinch, or use Ctrl and the wheel"],
  ["/", "type the tree or the position"],
];

const FURTHER = 100; // simulations of the key End
const IN_THE_TREE = [" ", ",", ".", "Escape"]; // keys that do not move the focus in the tree

/** @type {(page: InsidePage) => (event: KeyboardEvent) => void} */
export const keyHandler = (page) => (event) => {
  const { search, player } = page;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !search) return;
  if (page.root.querySelector("dialog[open]")) return;
  const target = /** @type {HTMLInputElement} */ (event.target);
  const isTyping = target.closest("input, select, textarea") && target.type !== "range";
  if (isTyping) return;
  if (event.key === "/") {
    event.preventDefault();
    page.focusField();
    return;
  }
  if (page.task.mode !== "watch") return;
  if (target.closest("input, [role=treeitem]") && !IN_THE_TREE.includes(event.key)) return;
  if (event.key === " " && target.closest("button, a, summary, [role=treeitem]")) return;
  /** @type {Record<string, () => void>} */
  const acts = {
    ArrowRight: () => page.goTo(search.step + 1),
    ArrowLeft: () => page.goTo(search.step - 1),
    ".": () => page.goTo(search.step + 1),
    ",": () => page.goTo(search.step - 1),
    Home: () => page.goTo(0),
    End: () => page.goTo(search.growth ? search.step + FURTHER : search.last),
    Escape: () => search.unselect(),
    " ": () => player.toggle(search),
  };
  if (!acts[event.key]) return;
  event.preventDefault();
  if (event.key !== " ") player.pause(search);
  acts[event.key]();
};
