// The strip over the graph: the weight over the time of the capture, of which a part can be chosen.

class Strip {
  /** choose(span) is called with [from, to) in buckets, or null for the whole capture. */
  constructor(profile, choose) {
    this.time = profile.time;
    this.choose = choose;
    this.box = document.getElementById('strip');
    this.box.hidden = this.time.buckets === 0;
    if (this.box.hidden) return;
    this.chart = document.getElementById('chart');
    this.selection = document.getElementById('selection');
    this.whole = document.getElementById('whole-time');
    this.seconds = this.time.width * 1e-9;
    this.anchor = -1;
    this.span = null;
    this.buildBars();
    this.listen();
  }

  buildBars() {
    const svg = this.chart.querySelector('svg');
    svg.setAttribute('viewBox', `0 0 ${this.time.buckets} 100`);
    this.bars = Array.from({length: this.time.buckets}, (_, i) => {
      const bar = document.createElementNS(svg.namespaceURI, 'rect');
      bar.setAttribute('x', i);
      bar.setAttribute('width', 1);
      svg.append(bar);
      return bar;
    });
    const end = this.time.buckets * this.seconds;
    document.getElementById('times').replaceChildren(...[0, end / 2, end].map((at) => text('span', seconds(at))));
  }

  listen() {
    const {chart} = this;
    chart.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      this.anchor = this.bucketAt(event);
      this.from = event.clientX;
      chart.setPointerCapture(event.pointerId);
    });
    chart.addEventListener('pointermove', (event) => {
      if (this.anchor >= 0) this.mark(this.dragged(event));
    });
    chart.addEventListener('pointerup', (event) => {
      if (this.anchor < 0) return;
      const span = this.dragged(event);
      this.anchor = -1;
      this.choose(span);
    });
    chart.addEventListener('pointercancel', () => {
      this.anchor = -1;
      this.mark(this.span);
    });
    chart.addEventListener('keydown', (event) => this.key(event));
    this.whole.addEventListener('click', () => {
      this.choose(null);
      chart.focus();
    });
  }

  bucketAt(event) {
    const {left, width} = this.chart.getBoundingClientRect();
    const at = Math.floor((event.clientX - left) / width * this.time.buckets);
    return Math.max(0, Math.min(this.time.buckets - 1, at));
  }

  /** dragged is the span from where the pointer went down to where it is; null where it did not move: a click ends a choice. */
  dragged(event) {
    if (Math.abs(event.clientX - this.from) < 4) return null;
    const at = this.bucketAt(event);
    return [Math.min(at, this.anchor), Math.max(at, this.anchor) + 1];
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = this.next(event.key, event.shiftKey);
    if (next === undefined) return;
    event.preventDefault();
    this.choose(next);
  }

  /** next is the span that a key chooses: arrows move it, with Shift they move its end; undefined for a key without a meaning. */
  next(key, isShift) {
    const {buckets} = this.time;
    const step = Math.max(1, Math.round(buckets / 50));
    const [from, to] = this.span ?? [0, 0];
    const by = {ArrowLeft: -step, ArrowRight: step, Home: -buckets, End: buckets}[key];
    if (key === 'Escape') return null;
    if (by === undefined) return undefined;
    if (!this.span) return by > 0 ? [0, step] : [buckets - step, buckets];
    if (isShift) return [from, Math.max(from + 1, Math.min(buckets, to + by))];
    const moved = Math.max(-from, Math.min(buckets - to, by));
    return [from + moved, to + moved];
  }

  /** show draws the values of the buckets, and marks a span. */
  show(values, span, weight) {
    if (this.box.hidden) return;
    const most = Math.max(...values);
    values.forEach((value, i) => {
      const height = most > 0 ? 100 * value / most : 0;
      this.bars[i].setAttribute('y', 100 - height);
      this.bars[i].setAttribute('height', height);
    });
    this.span = span;
    document.getElementById('strip-title').textContent =
      `${noun(weight)} over the capture, up to ${rate(most, this.seconds, weight)}`;
    document.getElementById('span').textContent = span ? this.words(span) : '';
    this.whole.disabled = !span;
    this.mark(span);
  }

  /** words are the two ends of a span: "1.00 s to 2.50 s". */
  words([from, to]) { return `${seconds(from * this.seconds)} to ${seconds(to * this.seconds)}`; }

  mark(span) {
    const [from, to] = span ?? [0, 0];
    const share = (bucket) => `${100 * bucket / this.time.buckets}%`;
    this.selection.hidden = !span;
    Object.assign(this.selection.style, {left: share(from), width: share(to - from)});
    this.bars.forEach((bar, i) => bar.classList.toggle('outside', span !== null && (i < from || i >= to)));
  }
}

/** rate is how much there was of a weight at a time: "1.9 cores", "12 threads", "3.0 MB/s". */
function rate(value, duration, weight) {
  if (weight.unit in secondsPerUnit) {
    const amount = (value * secondsPerUnit[weight.unit] / duration).toFixed(1);
    return `${amount} ${weight.name === 'cpu' ? 'core' : 'thread'}${amount === '1.0' ? '' : 's'}`;
  }
  return `${quantity(value / duration, weight)}/s`;
}
