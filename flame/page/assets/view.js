// From the samples that the filters let through to a tree with widths and places.

/**
 * buildView makes the tree that is shown: choice is {weight, by, thread, pool, state, compare}. Its nodes are numbered row by row and
 * from left to right, so that the children of node i are first[i] up to first[i+1], and the descendants of a node are one
 * range of numbers in each row.
 */
function buildView(profile, choice) {
  const sown = sow(profile, choice);
  const total = sums(sown.self, sown.parent);
  const baseTotal = sums(sown.base, sown.parent);
  const width = profile.isDiff ? sums(sown.self.map((v, i) => Math.max(v, sown.base[i])), sown.parent) : total;
  const {order, first} = byRow(sown.parent, width, sown.label);
  const size = order.length;
  const pick = (Type, from) => {
    const column = new Type(size);
    for (let i = 0; i < size; i++) column[i] = from[order[i]];
    return column;
  };
  const view = {
    size, first,
    parent: parents(first),
    label: pick(Int32Array, sown.label),
    node: pick(Int32Array, sown.node),
    thread: pick(Int32Array, sown.thread),
    self: pick(Float64Array, sown.self),
    total: pick(Float64Array, total),
    base: pick(Float64Array, sown.base),
    baseTotal: pick(Float64Array, baseTotal),
    width: pick(Float64Array, width),
  };
  view.left = lefts(view);
  view.outer = outerOfSameLabel(view, profile.labels.length);
  return view;
}

/** sow puts the samples into a tree of their own; a parent comes before its children, the whole is node 0. */
function sow(profile, choice) {
  const {parent: trieParent, function: trieFunction} = profile.nodes;
  const tree = {parent: [-1], label: [profile.wholeLabel], node: [0], thread: [-1], self: [0], base: [0]};
  const owner = new Int32Array(trieParent.length).fill(-2);
  const place = new Int32Array(trieParent.length);
  const add = (parent, label, node, thread) => {
    tree.parent.push(parent); tree.label.push(label); tree.node.push(node); tree.thread.push(thread);
    tree.self.push(0); tree.base.push(0);
    return tree.parent.length - 1;
  };
  const scale = baseScale(profile, choice);
  const path = [];
  const find = (node, thread) => {
    for (; owner[node] !== thread; node = trieParent[node]) path.push(node);
    let at = place[node];
    while (path.length > 0) {
      node = path.pop();
      at = add(at, trieFunction[node], node, thread);
      owner[node] = thread; place[node] = at;
    }
    return at;
  };
  for (const [thread, samples] of shares(profile, choice)) {
    owner[0] = thread;
    place[0] = thread < 0 ? 0 : add(0, profile.threadLabel + thread, 0, thread);
    for (const s of samples) {
      const at = find(profile.samples.node[s], thread);
      tree.self[at] += profile.samples.values[choice.weight][s];
      if (profile.isDiff) tree.base[at] += scale * profile.samples.base[choice.weight][s];
    }
  }
  return {...tree, self: Float64Array.from(tree.self), base: Float64Array.from(tree.base)};
}

/** baseScale is what the base is multiplied with, so that shares are compared where the two are of different lengths. */
function baseScale(profile, choice) {
  if (!profile.isDiff || choice.compare !== 'shares') return 1;
  const total = (column) => column.reduce((sum, value) => sum + value, 0);
  return total(profile.samples.values[choice.weight]) / total(profile.samples.base[choice.weight]) || 1;
}

/** shares are the samples that count, by thread; all under -1 if threads are merged. */
function shares(profile, choice) {
  const {groups, samples} = profile;
  const values = samples.values[choice.weight] ?? []; // a profile without sample types has none
  const base = profile.isDiff ? samples.base[choice.weight] : null;
  const wanted = groups.thread.map((thread, g) =>
    (choice.thread < 0 || thread === choice.thread) &&
    (choice.pool < 0 || groups.pool[g] === choice.pool) &&
    (choice.state < 0 || groups.state[g] === choice.state));
  const byThread = new Map();
  for (let s = 0; s < values.length; s++) {
    const group = samples.group[s];
    if (!wanted[group] || !(values[s] || base?.[s])) continue;
    const thread = choice.by === 'thread' ? groups.thread[group] : -1;
    const list = byThread.get(thread);
    if (list) list.push(s); else byThread.set(thread, [s]);
  }
  return byThread;
}

/** parents turns the ranges of children round. */
function parents(first) {
  const parent = new Int32Array(first.length - 1);
  parent[0] = -1;
  for (let i = 0; i < parent.length; i++) {
    for (let child = first[i]; child < first[i + 1]; child++) parent[child] = i;
  }
  return parent;
}

/** sums adds to each node what its descendants have; parents come before their children. */
function sums(own, parent) {
  const total = own.slice();
  for (let i = total.length - 1; i > 0; i--) total[parent[i]] += total[i];
  return total;
}

/** byRow numbers nodes row by row, the widest child first. */
function byRow(parent, width, label) {
  const size = parent.length;
  const start = new Int32Array(size + 1);
  for (let i = 1; i < size; i++) start[parent[i] + 1]++;
  for (let i = 1; i <= size; i++) start[i] += start[i - 1];
  const children = new Int32Array(size);
  const next = start.slice();
  for (let i = 1; i < size; i++) children[next[parent[i]]++] = i;
  const widest = (a, b) => width[b] - width[a] || label[a] - label[b];
  const order = new Int32Array(size);
  const first = new Int32Array(size + 1);
  let end = 1;
  for (let i = 0; i < size; i++) {
    const [from, to] = [start[order[i]], start[order[i] + 1]];
    if (to - from > 1) children.subarray(from, to).sort(widest);
    first[i] = end;
    for (let child = from; child < to; child++) order[end++] = children[child];
  }
  first[size] = size;
  return {order, first};
}

/** lefts are where nodes begin, in the unit of their widths. */
function lefts({size, first, width}) {
  const left = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    let x = left[i];
    for (let child = first[i]; child < first[i + 1]; child++) {
      left[child] = x;
      x += width[child];
    }
  }
  return left;
}

/** outerOfSameLabel is the nearest ancestor with the same label for each node, or -1: what tells recursion. */
function outerOfSameLabel({size, first, parent, label}, labels) {
  const open = new Int32Array(labels).fill(-1);
  const outer = new Int32Array(size).fill(-1);
  const next = first.slice();
  open[label[0]] = 0;
  for (let node = 0; node >= 0;) {
    if (next[node] < first[node + 1]) {
      node = next[node]++;
      outer[node] = open[label[node]];
      open[label[node]] = node;
    } else {
      open[label[node]] = outer[node];
      node = parent[node];
    }
  }
  return outer;
}

/** rowsFor are the rows of a view when a node fills the width: its ancestors, itself, its descendants, as [from, to). */
function rowsFor(view, zoom) {
  const rows = [];
  for (let node = zoom; node >= 0; node = view.parent[node]) rows.unshift([node, node + 1]);
  for (let from = view.first[zoom], to = view.first[zoom + 1]; from < to;) {
    rows.push([from, to]);
    [from, to] = [view.first[from], view.first[to]];
  }
  return rows;
}

/** under calls visit for a node and all its descendants, parents first. */
function under(view, node, visit) {
  for (let from = node, to = node + 1; from < to; [from, to] = [view.first[from], view.first[to]]) {
    for (let i = from; i < to; i++) visit(i);
  }
}

/** keyOf names a node in a link, nodeOf finds it again; -1 if the view does not have it. */
function keyOf(view, node) {
  if (node === 0) return '';
  return view.thread[node] < 0 ? `${view.node[node]}` : `${view.node[node]}.${view.thread[node]}`;
}
function nodeOf(view, key) {
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(key)) return -1;
  const [node, thread = -1] = key.split('.').map(Number);
  for (let i = 1; i < view.size; i++) {
    if (view.node[i] === node && view.thread[i] === thread) return i;
  }
  return -1;
}

/** depthOf counts a node's ancestors. */
function depthOf(view, node) {
  let depth = 0;
  for (; view.parent[node] >= 0; node = view.parent[node]) depth++;
  return depth;
}
