// Measures, inside the page, how long it takes until something is painted. The benchmarks put it into every page
// before the page's own scripts run.
//
// "Painted" means: two animation frames after the change. The first frame draws the change; when the second begins,
// the first is done. So each time has up to one frame (16.7 ms at 60 Hz) of waiting for the screen in it at the start,
// and a whole frame at the end: it is never too short, whatever the screen did.

{
  const LIMIT = 120_000;

  /** @type {Set<ShadowRoot>} */
  const shadowRoots = new Set();
  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function (options) {
    const root = attachShadow.call(this, options);
    shadowRoots.add(root);
    return root;
  };

  /** @returns {HTMLElement | null} The step player, once it stands at a step. */
  function findPlayer() {
    for (const root of [document, ...shadowRoots]) {
      const player = root.querySelector(".player[data-step]");
      if (player?.isConnected) {
        return /** @type {HTMLElement} */ (player);
      }
    }
    return null;
  }

  /** @returns {Promise<number>} When the next frame begins, in milliseconds since the page was asked for. */
  function nextFrame() {
    return new Promise((resolve) => {
      requestAnimationFrame(() => resolve(performance.now()));
    });
  }

  /**
   * @param {() => unknown} condition Looked at in every frame, before the frame is drawn.
   * @returns {Promise<number>} When the frame that shows it has been drawn.
   */
  async function paintedWhen(condition) {
    const begun = performance.now();
    while (!condition()) {
      if ((await nextFrame()) - begun > LIMIT) {
        throw new Error(`Nothing was painted for ${LIMIT / 1000} seconds: ${condition}`);
      }
    }
    return nextFrame();
  }

  /** @param {string} text */
  function lettersOf(text) {
    return text.replaceAll(/[^\p{L}]/gu, "");
  }

  /** @returns {string} The letters over the columns of the map. */
  function lettersOfMap() {
    const heads = findPlayer()?.querySelectorAll(".map-heads text") ?? [];
    return lettersOf(Array.from(heads, (head) => head.textContent).join(""));
  }

  /** @param {(event: KeyboardEvent) => void} hear Called for the next key, before anybody else hears of it. */
  function atNextKey(hear) {
    window.addEventListener("keydown", hear, { capture: true, once: true });
  }

  Object.assign(globalThis, {
    probe: {
      /** When the first map was painted: since the page was asked for, and by the clock of the machine. */
      firstMap: paintedWhen(() => findPlayer()?.querySelector(".map-cell")).then((sinceAsked) => ({
        sinceAsked,
        clock: Date.now(),
      })),

      /** The step at which the player stands, from 0. */
      step: () => Number(findPlayer()?.dataset.step),

      /**
       * For the next key pressed: milliseconds from the press to the painted step; how many of them the page worked (the
       * key's handlers, and style, layout and painting of the frame after them); how many steps the player moved.
       */
      nextStep() {
        const before = globalThis.probe.step();
        return new Promise((resolve) => {
          atNextKey(({ timeStamp }) => {
            const heard = performance.now();
            let handled = heard;
            window.addEventListener("keydown", () => (handled = performance.now()), { once: true });
            requestAnimationFrame(() => {
              const frame = performance.now();
              let drawn = frame;
              const channel = new MessageChannel();
              channel.port1.onmessage = () => (drawn = performance.now());
              channel.port2.postMessage(null);
              requestAnimationFrame(() => {
                const painted = performance.now() - timeStamp;
                const work = handled - heard + (drawn - frame);
                resolve({ painted, work, moved: globalThis.probe.step() - before });
              });
            });
          });
        });
      },

      /** For the next key pressed, which sends this sentence: milliseconds until its map is painted. */
      nextSentence(sentence) {
        const letters = lettersOf(sentence);
        return new Promise((resolve, reject) => {
          atNextKey(({ timeStamp }) => {
            paintedWhen(() => lettersOfMap() === letters).then((painted) => resolve(painted - timeStamp), reject);
          });
        });
      },
    },
  });
}
