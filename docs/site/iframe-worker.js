// Lets the search work in a site that is opened as files: browsers start no workers there, but they do load frames.
// The search's script runs in a hidden frame instead; messages go to and fro as with a worker.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = (this.inside = frame.contentWindow);
      this.frame = frame;
      inside.postMessage = (data) => this.hear(data);
      inside.importScripts = (...urls) => urls.reduce((before, each) => before.then(() => load(inside, each)), Promise.resolve());
      this.ready = load(inside, url);
    }
    hear(data) {
      const event = new MessageEvent("message", { data });
      this.dispatchEvent(event);
      this.onmessage?.(event);
    }
    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new this.inside.MessageEvent("message", { data })));
    }
    terminate() {
      this.frame.remove();
    }
  };

  function load(inside, url) {
    return new Promise((done, failed) => {
      const script = inside.document.createElement("script");
      script.src = url;
      script.onload = done;
      script.onerror = failed;
      inside.document.body.append(script);
    });
  }
}
