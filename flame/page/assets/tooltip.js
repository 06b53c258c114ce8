// The tooltip of a frame, and the same in one sentence for screen readers.

class Tooltip {
  constructor() {
    this.box = document.getElementById('tooltip');
    this.node = -1;
  }

  hide() {
    this.box.hidden = true;
    this.node = -1;
  }

  /** show puts what tell(node) says near a place of the window, and inside of it. */
  show(node, x, y, tell) {
    if (this.node !== node) this.fill(tell(node));
    this.node = node;
    this.box.hidden = false;
    const {offsetWidth: width, offsetHeight: height} = this.box;
    const gap = 14;
    const right = x + gap + width <= innerWidth ? x + gap : Math.max(4, x - gap - width);
    const below = y + gap + height <= innerHeight ? y + gap : Math.max(4, y - gap - height);
    this.box.style.left = `${right}px`;
    this.box.style.top = `${below}px`;
  }

  fill({name, place, lines}) {
    const title = text('bdi', name, 'name');
    const list = document.createElement('dl');
    for (const [term, ...values] of lines) list.append(text('dt', term), ...values.map((value) => text('dd', value)));
    this.box.replaceChildren(title, ...(place ? [text('span', place, 'place')] : []), list);
  }
}

/** text is an element with nothing but text in it. */
function text(tag, content, className = '') {
  const element = document.createElement(tag);
  element.textContent = content;
  element.className = className;
  return element;
}

/** facts are what the page says of a node: {name, place, lines: [term, value, share]…}. seen is {profile, view, zoom, weight, shows}. */
function facts(seen, node) {
  const {profile, view, zoom, weight} = seen;
  const lines = [...valuesOf(seen, node)];
  if (profile.isDiff) {
    const [now, before] = [view.total[node], view.baseTotal[node]];
    lines.push(['Before', quantity(before, weight), percent(before, view.baseTotal[0])],
      ['Change', change(now - before, weight), growthInWords(now, before)]);
  }
  if (zoom !== 0 && view.total[zoom] > 0 && node > zoom) {
    lines.push(['Of zoomed', '', percent(view.total[node], view.total[zoom])]);
  }
  return {name: profile.labels[view.label[node]], place: placeOf(profile, view, node), lines};
}

/** valuesOf are what a node holds: of a caller, what it has of the method that it leads to. */
function valuesOf({profile, view, weight, shows}, node) {
  const line = (term, value, whole = view.total[0]) => [term, quantity(value, weight), percent(value, whole)];
  if (shows === 'calls' || node === 0 || view.label[node] >= profile.threadLabel) {
    const all = line('Total', view.total[node]);
    return shows === 'calls' ? [all, line('Self', view.self[node])] : [all];
  }
  if (shows === 'around') return [line('Total', view.total[node])];
  let leaf = node;
  while (view.parent[leaf] > 0 && view.label[view.parent[leaf]] < profile.threadLabel) leaf = view.parent[leaf];
  if (leaf === node) return [line('Self', view.total[node])];
  return [line('Leads to', view.total[node]), ['Of its self', '', percent(view.total[node], view.total[leaf])]];
}

/** growthInWords says by how much something grew: "+12.0 %", "new", "vanished". */
function growthInWords(now, before) {
  if (now === before) return '';
  if (before === 0) return 'new';
  if (now === 0) return 'vanished';
  return `${now > before ? '+' : '−'}${percent(Math.abs(now - before), before)}`;
}

/** placeOf is the kind of code of a node, its file and lines, and its thread. */
function placeOf(profile, view, node) {
  const label = view.label[node];
  if (label >= profile.threadLabel) return label === profile.wholeLabel ? '' : 'thread';
  const [from, to] = [view.line[node], view.lastLine[node]];
  const file = profile.files[profile.functions.file[label]];
  const lines = from === 0 ? '' : from === to ? `:${from}` : `:${from}–${to}`;
  const thread = view.thread[node] < 0 ? '' : `thread ${profile.threads[view.thread[node]] || '(none)'}`;
  return [kinds[profile.kind[label]].title, file || lines ? `${file}${lines}` : '', thread].filter(Boolean).join(' · ');
}

/** sentence is what a screen reader says of a node. */
function sentence(seen, node) {
  const {view, shows, isUp} = seen;
  const {name, place, lines} = facts(seen, node);
  const below = view.first[node + 1] - view.first[node];
  const noun = shows === 'callers' || isUp ? 'caller' : 'callee';
  const figures = lines.map(([term, ...values]) => `${term} ${values.filter(Boolean).join(', ')}`);
  return [name, ...figures, place, `${below} ${noun}${below === 1 ? '' : 's'}`].filter(Boolean).join('; ');
}
