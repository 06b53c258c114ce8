// The graph: a scrolled sheet with a canvas that stays in sight, the pointer, the keys, and what screen readers hear.

class Graph {
  /**
   * id is that of its element; on is {zoom(node), unzoom(levels), hover(node, x, y), leave(), select(node)}; describe(node) is a
   * frame in words.
   */
  constructor(id, on, describe) {
    this.on = on;
    this.describe = describe;
    this.box = document.getElementById(id);
    this.sheet = this.box.firstElementChild;
    this.painter = new Painter(this.sheet.firstElementChild);
    this.scene = null;
    this.onPaper = false;
    this.listen();
  }

  listen() {
    const {box} = this;
    box.addEventListener('scroll', () => this.scrolled());
    box.addEventListener('pointermove', (event) => this.point(event));
    box.addEventListener('pointerleave', () => { this.hover(-1); this.on.leave(); });
    box.addEventListener('click', (event) => {
      const node = this.nodeAt(event);
      if (node >= 0) this.on.zoom(node);
    });
    box.addEventListener('keydown', (event) => this.key(event));
    box.addEventListener('focus', () => { if (box.matches(':focus-visible')) this.choose(this.current()); });
    box.addEventListener('blur', () => this.on.leave());
    new ResizeObserver(() => this.draw()).observe(box);
  }

  /** scrolled hides what was said of a frame that is elsewhere now, unless the keys went to one out of sight. */
  scrolled() {
    if (!this.isRevealing) this.on.leave();
    this.isRevealing = false;
    this.draw();
  }

  /** show draws a scene; isMoved says that the zoomed frame has to be brought into sight. */
  show(scene, isMoved) {
    const isSameTree = this.scene?.view === scene.view;
    const current = isSameTree ? this.scene.current : -1;
    this.scene = {...scene, rows: rowsFor(scene.view, scene.zoom), current, hovered: -1};
    this.sheet.style.height = `${this.scene.rows.length * rowHeight}px`;
    if (isMoved) this.reveal(scene.zoom, true);
    if (current >= 0 && !this.isShown(current)) this.scene.current = -1;
    this.announce();
    this.paint();
  }

  isShown(node) {
    const range = this.scene.rows[depthOf(this.scene.view, node)];
    return range !== undefined && node >= range[0] && node < range[1];
  }

  /** draw paints in the next frame of the screen, however often it is called until then. */
  draw() {
    if (this.pending || !this.scene) return;
    this.pending = requestAnimationFrame(() => { this.pending = 0; this.paint(); });
  }

  paint() {
    const {box} = this;
    if (this.onPaper || !this.scene || box.hidden) return;
    this.painter.paint(this.scene, {
      width: box.clientWidth, height: box.clientHeight, top: box.scrollTop, sheetHeight: this.sheet.offsetHeight,
      scale: devicePixelRatio,
    });
    this.painter.canvas.style.height = `${box.clientHeight}px`;
  }

  /** paper draws as many rows as a sheet of paper takes, or goes back to the screen; it is how many are left out. */
  paper(isOn) {
    if (this.box.hidden) return 0;
    this.onPaper = isOn;
    const shown = Math.min(this.scene.rows.length, 32);
    const height = shown * rowHeight;
    const {style} = this.painter.canvas;
    this.sheet.style.height = `${isOn ? height : this.scene.rows.length * rowHeight}px`;
    Object.assign(style, isOn ? {height: `${height}px`, width: '100%'} : {width: '', height: ''});
    this.painter.setPalette(readPalette());
    if (!isOn) {
      this.paint();
      return 0;
    }
    const from = Math.max(0, Math.min(depthOf(this.scene.view, this.scene.zoom) - 2, this.scene.rows.length - shown));
    const top = this.scene.upwards ? (this.scene.rows.length - from - shown) * rowHeight : from * rowHeight;
    const sheetHeight = this.scene.rows.length * rowHeight;
    this.painter.paint(this.scene, {width: 1000, height, top, sheetHeight, scale: 2});
    return this.scene.rows.length - shown;
  }

  repaint() {
    this.painter.setPalette(readPalette());
    this.draw();
  }

  nodeAt(event) {
    if (!this.scene) return -1;
    const area = this.painter.canvas.getBoundingClientRect();
    const y = event.clientY - area.top + this.box.scrollTop;
    const fromTop = this.scene.upwards ? this.sheet.offsetHeight - y : y;
    const range = this.scene.rows[Math.floor(fromTop / rowHeight)];
    return range === undefined ? -1 : this.inRow(range, event.clientX - area.left);
  }

  /** inRow finds the node of a row at a place across, by bisection. */
  inRow([from, to], x) {
    let [low, high] = [from, to];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.painter.span(this.scene, middle)[0] <= x) low = middle; else high = middle;
    }
    const [left, width] = this.painter.span(this.scene, low);
    return x >= left && x < left + Math.max(width, narrowest) ? low : -1;
  }

  point(event) {
    const node = this.nodeAt(event);
    this.hover(node);
    if (node >= 0) this.on.hover(node, event.clientX, event.clientY); else this.on.leave();
  }

  hover(node) {
    if (!this.scene || this.scene.hovered === node) return;
    this.scene.hovered = node;
    this.box.style.cursor = node >= 0 ? 'pointer' : '';
    this.draw();
  }

  current() {
    const {current, zoom} = this.scene;
    return current >= 0 ? current : zoom;
  }

  /** choose makes a frame the one that the keys act upon, and says it. */
  choose(node) {
    if (node < 0) return;
    this.scene.current = node;
    this.reveal(node, false);
    this.announce();
    this.paint();
    const [left, width] = this.painter.span(this.scene, node);
    const area = this.box.getBoundingClientRect();
    const row = depthOf(this.scene.view, node);
    const y = this.rowTop(row) - this.box.scrollTop + rowHeight;
    this.on.hover(node, area.left + Math.max(0, left) + Math.min(width, 40) / 2, area.top + y);
  }

  rowTop(row) {
    return this.scene.upwards ? this.sheet.offsetHeight - (row + 1) * rowHeight : row * rowHeight;
  }

  /** reveal scrolls a frame's row into sight: to the near edge, or, if it is to lead, to the side of its callers. */
  reveal(node, leads) {
    const {box} = this;
    const before = box.scrollTop;
    const top = this.rowTop(depthOf(this.scene.view, node));
    const last = box.clientHeight - rowHeight;
    if (leads) {
      box.scrollTop = this.scene.upwards ? top - last + 2 * rowHeight : top - 2 * rowHeight;
    } else if (top < box.scrollTop) {
      box.scrollTop = top;
    } else if (top > box.scrollTop + last) {
      box.scrollTop = top - last;
    }
    this.isRevealing = box.scrollTop !== before;
  }

  key(event) {
    if (!this.scene || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = this.actions()[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  actions() {
    const node = this.current();
    const {view} = this.scene;
    const caller = () => this.choose(view.parent[node]);
    const callee = () => this.choose(view.first[node] < view.first[node + 1] ? view.first[node] : -1);
    const zoomIn = () => this.on.zoom(node);
    const zoomOut = () => this.on.unzoom(1);
    const [up, down] = this.scene.upwards ? [callee, caller] : [caller, callee];
    return {
      ArrowUp: up, ArrowDown: down,
      ArrowLeft: () => this.step(node, -1), ArrowRight: () => this.step(node, 1),
      s: () => this.on.select(node),
      Enter: zoomIn, ' ': zoomIn, '+': zoomIn, Backspace: zoomOut, '-': zoomOut,
      Escape: () => this.on.unzoom(Infinity), Home: () => this.choose(this.scene.zoom),
    };
  }

  step(node, by) {
    const [from, to] = this.scene.rows[depthOf(this.scene.view, node)];
    if (node + by >= from && node + by < to) this.choose(node + by);
  }

  /** announce gives screen readers the frame that the keys act upon, as an item of a tree. */
  announce() {
    const {view} = this.scene;
    const node = this.current();
    const item = document.createElement('div');
    const parent = view.parent[node];
    item.id = `${this.box.id}-${node}`;
    item.className = 'hidden';
    item.setAttribute('role', 'treeitem');
    item.setAttribute('aria-level', `${depthOf(view, node) + 1}`);
    item.setAttribute('aria-setsize', `${parent < 0 ? 1 : view.first[parent + 1] - view.first[parent]}`);
    item.setAttribute('aria-posinset', `${parent < 0 ? 1 : node - view.first[parent] + 1}`);
    item.setAttribute('aria-selected', 'true');
    if (view.first[node] < view.first[node + 1]) item.setAttribute('aria-expanded', 'true');
    item.setAttribute('aria-label', this.describe(node));
    this.box.querySelector('[role=treeitem]')?.remove();
    this.box.append(item);
    this.box.setAttribute('aria-activedescendant', item.id);
  }
}
