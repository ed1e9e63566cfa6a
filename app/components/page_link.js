/**
 * A link to another page of the app, with all that its address says, which opens in this visit.
 *
 * Streamlit's own link to a page writes the address in several steps, and Back then leads to places that never were.
 */

/**
 * Open a page of the app as the browser's own Back would: in this document, so that the visit goes on.
 * @param {string} address
 */
function openHere(address) {
  history.pushState(null, "", address);
  window.dispatchEvent(new PopStateEvent("popstate", { state: null }));
}

/**
 * Whether a click means this tab and nothing else: not a new tab, not a download.
 * @param {MouseEvent} event
 * @returns {boolean}
 */
function isPlain(event) {
  return event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
}

/**
 * Streamlit calls this on every change of the data and of the theme.
 * @param {{ data: { label: string, address: string }, parentElement: HTMLElement | ShadowRoot }} component
 */
export default function mountPageLink({ data, parentElement }) {
  const link = parentElement.querySelector("a") ?? parentElement.appendChild(document.createElement("a"));
  link.textContent = data.label;
  link.href = data.address;
  link.onclick = (event) => {
    if (isPlain(event)) {
      event.preventDefault();
      openHere(link.href);
    }
  };
}
