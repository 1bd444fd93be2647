// Numbers as text, exactly as zermelo.core.numerals and zermelo.draw.numerals write them; a test compares both.

const MINUS = "−";
const SMALLEST = 1e-30; // smaller numbers are not rounded to 0

/**
 * `1`, `0.5`, `6.667`, `−∞`: three decimals, or six where three would make it look whole; `1e−300`.
 *
 * @param {number} number
 */
export function numberText(number) {
  if (Number.isNaN(number)) return "?";
  if (!Number.isFinite(number)) return number > 0 ? "∞" : `${MINUS}∞`;
  const text = plainText(number);
  return text === "-0" ? "0" : text.replaceAll("-", MINUS);
}

/** @param {number} number */
function plainText(number) {
  const size = Math.abs(number);
  if (Number.isInteger(number) && size < 1e16) return String(number);
  if (size >= 1e6 || size < SMALLEST) return sevenDigits(number);
  const rounded = threeDecimals(number);
  return withoutZeros(Number(rounded) % 1 ? rounded : number.toFixed(6));
}

/** @type {(text: string) => string} */
const withoutZeros = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

/**
 * Three decimals; a tie goes to the even digit. Only sixteenths are ties.
 *
 * @param {number} number
 */
function threeDecimals(number) {
  if (!Number.isInteger(16 * number) || Number.isInteger(8 * number)) return number.toFixed(3);
  const below = Math.floor(1000 * number);
  return ((below % 2 === 0 ? below : below + 1) / 1000).toFixed(3);
}

/** @param {number} number */
function sevenDigits(number) {
  const [digits, power] = number.toExponential(6).split("e");
  const exponent = Number(power);
  if (-5 < exponent && exponent < 7) return withoutZeros(number.toPrecision(7));
  return `${withoutZeros(digits)}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/**
 * A probability: `0.25` if that is exact, `1/3` if it is a small fraction, else three decimals.
 *
 * @param {number} chance
 */
export function chanceText(chance) {
  if (Number(chance.toFixed(3)) === chance) return numberText(chance);
  for (let below = 1; below <= 36; below++) {
    const above = Math.round(chance * below);
    if (above && Math.abs(above / below - chance) <= 1e-9 * chance)
      return below === 1 ? String(above) : `${above}/${below}`;
  }
  return numberText(chance);
}
