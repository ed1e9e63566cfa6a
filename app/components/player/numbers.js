// How numbers are written. It knows no trace and draws nothing.

/**
 * A number with a fixed count of decimals and a true minus sign; "−∞" for a score that is hidden.
 * @param {number | null} value
 * @param {number} decimals
 * @returns {string}
 */
export function formatNumber(value, decimals = 2) {
  if (value === null) {
    return "−∞";
  }
  const text = value.toFixed(decimals);
  const isZero = Number(text) === 0;
  return isZero ? text.replace("-", "") : text.replace("-", "−");
}

/**
 * A number of size 1 at most where there is little room: without the 0 before its point, and 1 with one decimal.
 * @param {number} value
 * @returns {string}
 */
export function formatShortly(value) {
  const text = formatNumber(value);
  const short = text.replace(/^(−?)0\./, "$1.");
  return short === text ? formatNumber(value, 1) : short;
}

/**
 * A number with all its digits.
 * @param {number | null} value
 * @returns {string}
 */
export function formatExactly(value) {
  return value === null ? "−∞" : String(value).replaceAll("-", "−");
}

/**
 * The largest size among numbers, for a scale centred at 0; never 0, so that it can be divided by.
 * @param {Iterable<number | null>} values
 * @returns {number}
 */
export function largestSize(values) {
  let largest = 0;
  for (const value of values) {
    if (value !== null && Math.abs(value) > largest) {
      largest = Math.abs(value);
    }
  }
  return largest === 0 ? 1 : largest;
}

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 * @returns {number}
 */
export function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

/**
 * The whole numbers from the first to the last, which is included.
 * @param {number} first
 * @param {number} last
 * @returns {number[]}
 */
export function range(first, last) {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
