// What the table says: figures per label, and which labels a search finds.

/**
 * find compiles a search: {test, literal}. What is no regular expression is looked for as it stands. An empty search finds
 * nothing and has no test.
 */
function find(pattern) {
  if (pattern === '') return {test: null, literal: false};
  try {
    const expression = new RegExp(pattern, 'i');
    return {test: (label) => expression.test(label), literal: false};
  } catch {
    const text = pattern.toLowerCase();
    return {test: (label) => label.toLowerCase().includes(text), literal: true};
  }
}

/** hits marks the labels that a search finds; null if there is no search. */
function hits(profile, search) {
  if (!search.test) return null;
  const found = new Uint8Array(profile.labels.length);
  for (let i = 0; i < profile.wholeLabel; i++) found[i] = search.test(profile.labels[i]) ? 1 : 0;
  return found;
}

/** matchedTotal is what the found frames under a node hold together; one under another counts once. */
function matchedTotal(view, zoom, found) {
  const covered = new Uint8Array(view.size);
  let sum = 0;
  under(view, zoom, (i) => {
    const above = i !== zoom && covered[view.parent[i]];
    if (!above && found[view.label[i]]) sum += view.total[i];
    covered[i] = above || found[view.label[i]];
  });
  return sum;
}

/**
 * figures are the columns of the table, per label, for what is under a node: self, total, baseSelf, baseTotal. A method
 * that calls itself counts once.
 */
function figures(profile, view, zoom) {
  const column = () => new Float64Array(profile.threadLabel);
  const sum = {self: column(), total: column(), base: column(), baseTotal: column(), labels: []};
  const seen = new Uint8Array(profile.threadLabel);
  under(view, zoom, (i) => {
    const label = view.label[i];
    if (label >= profile.threadLabel) return;
    if (!seen[label]) {
      seen[label] = 1;
      sum.labels.push(label);
    }
    sum.self[label] += view.self[i];
    sum.base[label] += view.base[i];
    if (view.outer[i] < zoom) { // along a path numbers grow: that one is above the zoomed frame, or there is none
      sum.total[label] += view.total[i];
      sum.baseTotal[label] += view.baseTotal[i];
    }
  });
  return sum;
}

/** linksOf counts for each label the methods that call it directly, and those that it calls; where it calls itself the outermost counts. */
function linksOf(profile, view) {
  const size = profile.threadLabel;
  const [callers, callees] = [new Int32Array(size), new Int32Array(size)];
  const [above, below] = [new Set(), new Set()];
  const count = (pairs, pair, column, label) => {
    if (pairs.has(pair)) return;
    pairs.add(pair);
    column[label]++;
  };
  for (let i = 1; i < view.size; i++) {
    const [label, caller] = [view.label[i], view.label[view.parent[i]]];
    if (label >= size || caller >= size) continue;
    if (view.outer[i] < 0) count(above, label * size + caller, callers, label);
    if (view.outer[view.parent[i]] < 0) count(below, caller * size + label, callees, caller);
  }
  return {callers, callees};
}

/**
 * owners are the methods of the application whose work the self time under a node is: the first one from the top of each
 * stack. [label, value]…, the largest first; label -1 is what has none.
 */
function owners(profile, view, zoom) {
  const owner = new Int32Array(view.size).fill(-1);
  const sum = new Map();
  for (let i = 1; i < view.size; i++) { // also above the zoomed node
    const label = view.label[i];
    owner[i] = profile.kind[label] === 0 ? label : owner[view.parent[i]];
  }
  under(view, zoom, (i) => {
    if (view.self[i] > 0) sum.set(owner[i], (sum.get(owner[i]) ?? 0) + view.self[i]);
  });
  return [...sum].sort(([a, x], [b, y]) => y - x || a - b);
}

/** kindShares is the self time of each kind of code under a node. */
function kindShares(profile, view, zoom) {
  const sum = new Float64Array(kinds.length);
  under(view, zoom, (i) => { sum[profile.kind[view.label[i]]] += view.self[i]; });
  return sum;
}

/** sorted are the labels of the figures that are found, in the order of a column; numbers of labels are in the order of names. */
function sorted(profile, sum, links, found, sort) {
  const labels = Int32Array.from(found ? sum.labels.filter((label) => found[label]) : sum.labels);
  const keys = {self: sum.self, total: sum.total, change: sum.total.map((v, i) => v - sum.baseTotal[i]), ...links};
  const key = keys[sort.column];
  const sign = sort.descending ? -1 : 1;
  const byKey = (a, b) => sign * (key[a] - key[b]) || sum.total[b] - sum.total[a] || a - b;
  return labels.sort(key ? byKey : (a, b) => sign * (a - b));
}
