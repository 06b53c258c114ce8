// The trees that a profile can be shown as: calls, callers, and both of one method. A parent comes before its children, the
// whole is node 0.

/** Tree grows node by node. self and base are what ends at a node; line and lastLine are 0 if unknown. */
class Tree {
  constructor(label) {
    this.columns = {parent: [], label: [], thread: [], key: [], line: [], lastLine: [], self: [], base: []};
    this.isCut = false; // whether callers are missing, as there are too many
    this.add(-1, label, -1, 0);
  }

  get size() { return this.columns.parent.length; }

  /** add is a new node: thread is whose it is, -1 of all; key is what a link names it by. */
  add(parent, label, thread, key) {
    const {columns} = this;
    columns.parent.push(parent); columns.label.push(label); columns.thread.push(thread); columns.key.push(key);
    columns.line.push(0); columns.lastLine.push(0); columns.self.push(0); columns.base.push(0);
    return this.size - 1;
  }

  /** seen widens the lines of a node by those of a place in the stacks. */
  seen(at, nodes, node) {
    const {line, lastLine} = this.columns;
    const [from, to] = [nodes.line[node], nodes.lastLine[node]];
    if (from > 0) line[at] = line[at] > 0 ? Math.min(line[at], from) : from;
    lastLine[at] = Math.max(lastLine[at], to);
  }

  /** ends puts at a node what ends there. */
  ends(at, now, base) {
    this.columns.self[at] += now;
    this.columns.base[at] += base;
  }

  /** done is the tree in its columns. */
  done() {
    const {self, base} = this.columns;
    return {...this.columns, self: Float64Array.from(self), base: Float64Array.from(base), isCut: this.isCut};
  }
}

/** callsTree has the outermost methods under the whole, and under each method those that it calls. */
function callsTree(profile, choice) {
  const {nodes} = profile;
  const tree = new Tree(profile.wholeLabel);
  const owner = new Int32Array(nodes.parent.length).fill(-2);
  const place = new Int32Array(nodes.parent.length);
  const path = [];
  const find = (node, thread) => {
    for (; owner[node] !== thread; node = nodes.parent[node]) path.push(node);
    let at = place[node];
    while (path.length > 0) {
      node = path.pop();
      at = tree.add(at, nodes.function[node], thread, node);
      tree.seen(at, nodes, node);
      owner[node] = thread; place[node] = at;
    }
    return at;
  };
  const {now, base, byThread} = counted(profile, choice);
  for (const [thread, samples] of byThread) {
    owner[0] = thread;
    place[0] = thread < 0 ? 0 : tree.add(0, profile.threadLabel + thread, thread, 0);
    for (const s of samples) tree.ends(find(profile.samples.node[s], thread), now[s], base?.[s] ?? 0);
  }
  return tree.done();
}

/** callersTree has the methods under the whole that were on top, and under each method those that called it. */
function callersTree(profile, choice) {
  const tree = new Tree(profile.wholeLabel);
  const {now, base, byThread} = counted(profile, choice);
  for (const [thread, samples] of byThread) {
    const at = thread < 0 ? 0 : tree.add(0, profile.threadLabel + thread, thread, 0);
    const seeds = new Map();
    for (const s of samples) gather(seeds, profile.samples.node[s], now[s], base?.[s] ?? 0);
    climb(profile, tree, at, seeds);
  }
  return tree.done();
}

/** gather adds to what is at a place in the stacks. */
function gather(places, node, now, base) {
  const known = places.get(node);
  if (known) {
    known.now += now;
    known.base += base;
  } else {
    places.set(node, {now, base});
  }
}

/** A tree of callers may have many more nodes than that of the calls. Beyond so many, narrow ones are not followed further up. */
const manyNodes = 150000;
const narrowCaller = 1e-3; // of the whole

/** climb grows callers under a node of a tree: places are nodes of the stacks, with what each holds. */
function climb(profile, tree, root, places) {
  const {nodes} = profile;
  const {label, thread, key} = tree.columns;
  const sizeOf = (all) => [...all.values()].reduce((sum, {now, base}) => sum + Math.max(now, base), 0);
  const least = narrowCaller * sizeOf(places);
  const queue = [[root, places]];
  for (let i = 0; i < queue.length; i++) {
    const [at, here] = queue[i];
    queue[i] = null;
    const isCut = tree.size > manyNodes && sizeOf(here) < least;
    const callers = new Map();
    tree.isCut ||= isCut;
    for (const [node, {now, base}] of here) {
      if (node === 0 || isCut) {
        tree.ends(at, now, base);
        continue;
      }
      const method = nodes.function[node];
      let child = callers.get(method);
      if (!child) {
        child = {at: tree.add(at, method, thread[at], mixed(key[at], label[at], method)), places: new Map()};
        callers.set(method, child);
      }
      tree.seen(child.at, nodes, node);
      gather(child.places, nodes.parent[node], now, base);
    }
    for (const child of callers.values()) queue.push([child.at, child.places]);
  }
}

/** mixed is a number for a path of methods, from that of the path before. */
function mixed(before, label, method) {
  return (Math.imul(before ^ method + 1, 0x01000193) + label + 1) >>> 0;
}

/**
 * around are the trees of one method: {callers, callees}, with the method in place of the whole. A method that calls itself
 * counts once, where it was called first.
 */
function around(profile, choice, method) {
  const {nodes} = profile;
  const {now, base, byThread} = counted(profile, {...choice, by: 'merged'});
  const held = new Map();
  for (const samples of byThread.values()) {
    for (const s of samples) gather(held, profile.samples.node[s], now[s], base?.[s] ?? 0);
  }
  const top = outermostOf(nodes, method);
  const callers = new Tree(method);
  const callees = new Tree(method);
  const place = new Int32Array(nodes.parent.length).fill(-1);
  const children = new Map();
  const path = [];
  const find = (node) => {
    for (; node !== top[node] && place[node] < 0; node = nodes.parent[node]) path.push(node);
    let at = node === top[node] ? 0 : place[node];
    while (path.length > 0) {
      node = path.pop();
      at = childOf(at, nodes.function[node]);
      callees.seen(at, nodes, node);
      place[node] = at;
    }
    return at;
  };
  const childOf = (at, label) => {
    const edge = at * profile.labels.length + label;
    if (!children.has(edge)) children.set(edge, callees.add(at, label, -1, 0));
    return children.get(edge);
  };
  const seeds = new Map();
  for (const [node, {now: value, base: before}] of held) {
    if (top[node] < 0) continue;
    callees.ends(find(node), value, before);
    callees.seen(0, nodes, top[node]);
    callers.seen(0, nodes, top[node]);
    gather(seeds, nodes.parent[top[node]], value, before);
  }
  climb(profile, callers, 0, seeds);
  return {callers: callers.done(), callees: callees.done()};
}

/** outermostOf is, for each node of the stacks, its outermost caller of a method, itself included; -1 if there is none. */
function outermostOf(nodes, method) {
  const top = new Int32Array(nodes.parent.length).fill(-1);
  for (let i = 1; i < top.length; i++) {
    const above = top[nodes.parent[i]];
    top[i] = above < 0 && nodes.function[i] === method ? i : above;
  }
  return top;
}
