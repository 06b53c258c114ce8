// Drawing rows of frames on a canvas. It knows no events and no elements of the page.

const rowHeight = 20;
const narrowest = 1; // frames below it are drawn together, as one grey sliver

/** readPalette takes the colours of the theme from the style sheet. */
function readPalette() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    kinds: kinds.map((kind) => colour(kind.name)),
    ink: colour('frame-ink'), textInk: colour('ink'), quietInk: colour('quiet'), paper: colour('paper'), sliver: colour('sliver'),
    accent: colour('accent'), growth: colour('growth'), shrinkage: colour('shrinkage'), same: colour('same'),
    font: getComputedStyle(document.body).fontFamily,
  };
}

/** mix is the colour between two of #rrggbb, share 0 to 1 of the second. */
function mix(one, other, share) {
  const part = (at) => {
    const [a, b] = [one, other].map((colour) => parseInt(colour.slice(at, at + 2), 16));
    return Math.round(a + (b - a) * share).toString(16).padStart(2, '0');
  };
  return `#${part(1)}${part(3)}${part(5)}`;
}

/** growthOf is how much a node grew, as a share of the larger of before and after: -1 (vanished) to 1 (new). */
function growthOf(view, node) {
  const [now, before] = [view.total[node], view.baseTotal[node]];
  return (now - before) / (Math.max(now, before) || 1);
}

/** Painter draws what a scene says: {view, zoom, rows, found, profile, byGrowth, upwards, current, hovered}. */
class Painter {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d');
    this.widths = new Map();
    this.setPalette(readPalette());
  }

  setPalette(palette) {
    if (palette.font !== this.palette?.font) this.widths.clear();
    this.palette = palette;
    this.hatch = null;
  }

  /** paint draws the rows between top and top + height of a sheet that is sheetHeight high. */
  paint(scene, {width, height, top, sheetHeight, scale}) {
    const {canvas, context} = this;
    const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
    if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, {width: w, height: h});
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = `12px ${this.palette.font}`;
    context.textBaseline = 'middle';
    Object.assign(this, {width, scale});
    const rowTop = (row) => (scene.upwards ? sheetHeight - (row + 1) * rowHeight : row * rowHeight) - top;
    scene.rows.forEach((range, row) => {
      const y = rowTop(row);
      if (y > -rowHeight && y < height) this.row(scene, range, y);
    });
    this.outline(scene, scene.hovered, rowTop, 1);
    this.outline(scene, scene.current, rowTop, 2);
  }

  /** span is where a node of the rows lies across the canvas: [left, width] in pixels. */
  span({view, zoom}, node) {
    if (node < zoom) return [0, this.width]; // a caller of the zoomed frame
    const scale = this.width / (view.width[zoom] || 1);
    return [(view.left[node] - view.left[zoom]) * scale, view.width[node] * scale];
  }

  row(scene, [from, to], y) {
    const isAncestor = to <= scene.zoom;
    let [start, end, wasFound] = [-1, -1, false]; // of a run of frames too narrow to be drawn one by one
    const flush = () => {
      const fill = wasFound ? this.palette.accent : this.palette.sliver;
      if (start >= 0) this.box(start, Math.max(end - start, narrowest), y, fill);
      start = -1;
    };
    for (let node = from; node < to; node++) {
      const [left, width] = this.span(scene, node);
      if (width < narrowest) {
        const isFound = scene.found?.[scene.view.label[node]] === 1;
        if (start >= 0 && (left - end > 1 || isFound !== wasFound)) flush();
        if (start < 0) [start, wasFound] = [left, isFound];
        end = left + width;
        continue;
      }
      flush();
      this.frame(scene, node, left, width, y, isAncestor);
    }
    flush();
  }

  frame(scene, node, left, width, y, isAncestor) {
    const {context, palette} = this;
    const {found, view, profile} = scene;
    const isFound = found !== null && found[view.label[node]] === 1;
    context.globalAlpha = found !== null && !isFound ? 0.28 : isAncestor ? 0.4 : 1;
    this.box(left, width, y, this.colour(scene, node));
    if (scene.byGrowth && growthOf(view, node) === -1) this.box(left, width, y, this.hatching());
    context.globalAlpha = 1;
    if (isFound) {
      context.fillStyle = palette.accent;
      context.fillRect(left, y + rowHeight - 3, Math.max(width - 1, narrowest), 2);
    }
    const ink = found !== null && !isFound ? palette.quietInk : isAncestor ? palette.textInk : palette.ink;
    if (width > 22) this.write(profile.labels[view.label[node]], left, width, y, ink);
  }

  /** box fills a frame on whole pixels of the screen, which is crisp and much the fastest. */
  box(left, width, y, fill) {
    const snap = (x) => Math.round(x * this.scale) / this.scale;
    const from = snap(left);
    const gap = width > 3 ? 1 : 0;
    this.context.fillStyle = fill;
    this.context.fillRect(from, y, Math.max(snap(left + width) - from - gap, 1 / this.scale), rowHeight - 1);
  }

  colour({profile, view, byGrowth}, node) {
    const {palette} = this;
    if (!byGrowth) return palette.kinds[profile.kind[view.label[node]]];
    const growth = growthOf(view, node);
    if (growth === -1) return mix(palette.same, palette.shrinkage, 0.55); // under the hatching
    const toward = growth > 0 ? palette.growth : palette.shrinkage;
    return mix(palette.same, toward, Math.min(1, Math.abs(growth)) ** 0.7);
  }

  /** hatching marks frames that only the base has. */
  hatching() {
    if (this.hatch) return this.hatch;
    const tile = Object.assign(document.createElement('canvas'), {width: 8, height: 8});
    const context = tile.getContext('2d');
    context.strokeStyle = this.palette.paper;
    context.globalAlpha = 0.55;
    context.lineWidth = 2;
    for (const shift of [-8, 0, 8]) {
      context.moveTo(shift, 8);
      context.lineTo(shift + 8, 0);
    }
    context.stroke();
    this.hatch = this.context.createPattern(tile, 'repeat');
    return this.hatch;
  }

  write(name, left, width, y, ink) {
    const {context} = this;
    const text = this.fit(name, width - 9);
    if (text === '') return;
    context.fillStyle = ink;
    const plain = /^[\x20-\x7e…]*$/.test(text);
    if (!plain) { // marks may be stacked higher than a row, and fonts differ
      context.save();
      context.beginPath();
      context.rect(left, y, width - 1, rowHeight - 1);
      context.clip();
    }
    context.fillText(text, left + 4, y + rowHeight / 2);
    if (!plain) context.restore();
  }

  /** fit is the longest form of a name that has room, at last its beginning. */
  fit(name, room) {
    const forms = shortForms(name);
    for (const form of forms) {
      if (this.measure(form) <= room) return form;
    }
    const text = forms.at(-1);
    let length = Math.floor(text.length * room / this.measure(text));
    for (; length > 1; length--) {
      const cut = `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`;
      if (this.context.measureText(cut).width <= room) return cut;
    }
    return '';
  }

  measure(text) {
    let width = this.widths.get(text);
    if (width === undefined) {
      width = this.context.measureText(text).width;
      this.widths.set(text, width);
    }
    return width;
  }

  outline(scene, node, rowTop, thickness) {
    if (node < 0) return;
    const row = depthOf(scene.view, node);
    if (row >= scene.rows.length || node < scene.rows[row][0] || node >= scene.rows[row][1]) return;
    const [left, width] = this.span(scene, node);
    const shown = Math.max(width - 1, 4);
    this.context.strokeStyle = this.palette.accent;
    this.context.lineWidth = thickness;
    const inset = thickness / 2;
    this.context.strokeRect(left + inset, rowTop(row) + inset, shown - thickness, rowHeight - 1 - thickness);
  }
}
