// How much room a board has: the width of its cell, and the height that the window shows at once.

/** A part that stands beside the board needs so many pixels, and the two together so many. */
const ASIDE = 300;
const TOGETHER = 760;
const GAP = 10;
/** What is left free above and below a board, so that it is seen to be whole. */
const MARGIN = 16;

/** Finds what scrolls around an element, the outermost first; nothing if only the window does. */
function findScrollers(element) {
  const found = [];
  for (let e = element; e && e !== document.documentElement; e = e.parentElement ?? e.getRootNode().host) {
    if (e !== document.body && /auto|scroll/.test(getComputedStyle(e).overflowY)) found.unshift(e);
  }
  return found;
}

/** Gets the height that can be seen at once. A page inside of another one is as high as it needs to be. */
function seenHeight(scrollers) {
  if (window.parent !== window) return screen.availHeight * 0.7;
  // The outermost one has the height of its window; what scrolls inside of it is as high as what it holds, up to a limit.
  return Math.min(window.innerHeight, scrollers[0]?.clientHeight || Infinity, ...scrollers.map(limitOf));
}

function limitOf(scroller) {
  const { maxHeight, paddingTop, paddingBottom } = getComputedStyle(scroller);
  return maxHeight.endsWith("px") ? parseFloat(maxHeight) - parseFloat(paddingTop) - parseFloat(paddingBottom) : Infinity;
}

/** Measures the room for a board's frame. */
export function makeRoom(element) {
  let aside = null;

  /** Gets the room that a stage can fill beside all that stands with it. */
  function measure(stage) {
    const width = element.clientWidth;
    const together = aside !== null && width >= TOGETHER;
    element.classList.toggle("together", together);
    const height = seenHeight(findScrollers(element)) - MARGIN;
    element.style.setProperty("--seen", `${Math.round(height)}px`);
    // A log below the board need not be seen at once; it may lie on the board as soon as that is larger.
    const others = [...stage.parentElement.children].filter((part) => ![stage, aside].includes(part) && !part.matches("[hidden], .log, .keylist"));
    const taken = others.reduce((sum, part) => sum + outerHeight(part), 0);
    return { width: together ? width - ASIDE - GAP : width, height: height - taken };
  }

  function outerHeight(part) {
    const { marginTop, marginBottom } = getComputedStyle(part);
    return part.offsetHeight + parseFloat(marginTop) + parseFloat(marginBottom);
  }

  /** Tells when the room changes; gets what ends that. */
  function watch(changed) {
    const sizes = new ResizeObserver(changed);
    sizes.observe(element);
    window.addEventListener("resize", changed);
    // A notebook's panel may change its height alone.
    for (const scroller of findScrollers(element).slice(0, 1)) sizes.observe(scroller);
    return () => {
      sizes.disconnect();
      window.removeEventListener("resize", changed);
    };
  }

  return { measure, watch, putAside: (part) => (aside = part) };
}
