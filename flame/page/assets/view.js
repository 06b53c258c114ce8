// From a tree to a view: with widths and places.

/**
 * buildView lays a tree out. Its nodes are numbered row by row and from left to right, so that the children of node i are
 * first[i] up to first[i+1], and the descendants of a node are one range of numbers in each row.
 */
function buildView(profile, tree) {
  const total = sums(tree.self, tree.parent);
  const baseTotal = sums(tree.base, tree.parent);
  const width = profile.isDiff ? sums(tree.self.map((v, i) => Math.max(v, tree.base[i])), tree.parent) : total;
  const {order, first} = byRow(tree.parent, width, tree.label);
  const size = order.length;
  const pick = (Type, from) => {
    const column = new Type(size);
    for (let i = 0; i < size; i++) column[i] = from[order[i]];
    return column;
  };
  const view = {
    size, first, isCut: tree.isCut,
    parent: parents(first),
    label: pick(Int32Array, tree.label),
    key: pick(Uint32Array, tree.key),
    thread: pick(Int32Array, tree.thread),
    line: pick(Float64Array, tree.line),
    lastLine: pick(Float64Array, tree.lastLine),
    self: pick(Float64Array, tree.self),
    total: pick(Float64Array, total),
    base: pick(Float64Array, tree.base),
    baseTotal: pick(Float64Array, baseTotal),
    width: pick(Float64Array, width),
  };
  view.left = lefts(view);
  view.outer = outerOfSameLabel(view, profile.labels.length);
  return view;
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
  return view.thread[node] < 0 ? `${view.key[node]}` : `${view.key[node]}.${view.thread[node]}`;
}
function nodeOf(view, key) {
  if (!/^\d{1,10}(\.\d{1,9})?$/.test(key)) return -1;
  const [wanted, thread = -1] = key.split('.').map(Number);
  for (let i = 1; i < view.size; i++) {
    if (view.key[i] === wanted && view.thread[i] === thread) return i;
  }
  return -1;
}

/** depthOf counts a node's ancestors. */
function depthOf(view, node) {
  let depth = 0;
  for (; view.parent[node] >= 0; node = view.parent[node]) depth++;
  return depth;
}
