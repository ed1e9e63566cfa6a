/**
 * Tells Python whether the page is light or dark, again whenever the visitor changes it.
 * It knows nothing of what Python does with it.
 */

/** The page's colour scheme, read from the brightness of its background. */
function schemeOf(element) {
  const canvas = document.createElement("canvas").getContext("2d");
  canvas.fillStyle = getComputedStyle(element).getPropertyValue("--st-background-color").trim();
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
  return red + green + blue < 3 * 128 ? "dark" : "light";
}

/** Streamlit calls this on every change of the data and of the theme. */
export default function tellScheme({ data, parentElement, setStateValue }) {
  const scheme = schemeOf(parentElement.host ?? parentElement);
  if (scheme !== data.scheme) {
    setStateValue("scheme", scheme);
  }
}
