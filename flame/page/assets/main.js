// The page: one choice, and everything shown follows from it.

const ownersAtMost = 6;

class Page {
  constructor(profile) {
    this.profile = profile;
    this.choice = readLink(profile, location.hash);
    this.dark = matchMedia('(prefers-color-scheme: dark)');
    this.tooltip = new Tooltip();
    this.controls = new Controls(profile, (patch) => this.update(patch));
    this.table = new MethodTable(profile, {sort: (column) => this.sortBy(column), mark: (name) => this.mark(name)});
    this.neighbours = new Neighbours(profile, (label) => this.about(label));
    this.strip = new Strip(profile, (span) => this.update({span}, true));
    this.graph = this.newGraph('graph', () => this.seen());
    this.above = this.newGraph('above', () => this.seenAbove());
    this.listen();
    this.fillNotes();
    this.show();
  }

  /** newGraph is a graph in an element; seen() is what it shows. */
  newGraph(id, seen) {
    return new Graph(id, {
      zoom: (node) => this.zoomTo(seen().view, node),
      unzoom: (levels) => this.unzoom(levels),
      hover: (node, x, y) => this.tooltip.show(`${id}-${node}`, x, y, () => facts(seen(), node)),
      leave: () => this.tooltip.hide(),
      select: (node) => this.about(seen().view.label[node]),
    }, (node) => sentence(seen(), node));
  }

  listen() {
    document.getElementById('unzoom').addEventListener('click', () => {
      this.unzoom(Infinity);
      this.graph.box.focus();
    });
    addEventListener('hashchange', () => {
      this.choice = readLink(this.profile, location.hash);
      this.show();
    });
    addEventListener('resize', () => {
      this.graph.draw();
      this.above.draw();
    });
    this.dark.addEventListener('change', () => this.applyTheme());
    addEventListener('beforeprint', () => this.print(true));
    addEventListener('afterprint', () => this.print(false));
  }

  /** update changes the choice and shows what follows; a step can be undone with the browser's Back. */
  update(patch, isStep = false) {
    Object.assign(this.choice, patch);
    this.show();
    writeLink(this.profile, this.choice, isStep);
  }

  /** zoomTo zooms to a node, or, where the page is about one method, turns to that of the node. */
  zoomTo(view, node) {
    if (this.choice.view === 'method') this.about(view.label[node]);
    else this.update({zoom: keyOf(view, node)}, true);
  }

  /** about shows the callers and callees of a method. */
  about(label) {
    if (label >= this.profile.threadLabel) return;
    this.update({view: 'method', method: this.profile.labels[label], zoom: ''}, true);
  }

  unzoom(levels) {
    if (this.choice.view === 'method') {
      this.update({view: 'calls'}, true);
    } else if (this.zoom > 0) {
      this.update({zoom: levels === 1 ? keyOf(this.view, this.view.parent[this.zoom]) : ''}, true);
    } else if (this.choice.search !== '') {
      this.update({search: ''});
    }
  }

  sortBy(column) {
    const {sort} = this.choice;
    const descending = sort.column === column ? !sort.descending : column !== 'name';
    this.update({sort: {column, descending}});
  }

  /** mark searches for exactly one method, or for nothing if that is what is searched for. */
  mark(name) {
    if (this.choice.view === 'method') {
      this.about(this.profile.labels.indexOf(name));
      return;
    }
    const search = exactly(name);
    this.update({search: this.choice.search === search ? '' : search});
  }

  seen() {
    const {profile, view, zoom, weight, choice} = this;
    return {profile, view, zoom, weight, shows: choice.view === 'method' ? 'around' : choice.view};
  }

  seenAbove() { return {...this.seen(), view: this.callersView, zoom: 0, isUp: true}; }

  show() {
    const {choice} = this;
    this.weight = this.profile.weights[choice.weight] ?? {name: 'samples', unit: 'count'};
    const isNewTree = this.grow();
    const zoom = choice.view === 'method' ? 0 : Math.max(0, nodeOf(this.view, choice.zoom));
    if (zoom === 0) choice.zoom = '';
    const isMoved = isNewTree || zoom !== this.zoom || choice.layout !== this.layout;
    this.zoom = zoom;
    this.layout = choice.layout;
    this.search = find(choice.search);
    this.found = hits(this.profile, this.search);
    this.controls.show(choice);
    this.applyTheme();
    this.tooltip.hide();
    this.showStrip();
    this.showGraph(isMoved);
    this.showTable();
    this.showWords();
    this.showLegend();
  }

  /**
   * grow makes the trees that the choice needs anew, if it is another one: calls, which the table and the legend follow
   * from, and view, which is shown. It is whether there are new ones.
   */
  grow() {
    const {profile, choice} = this;
    const base = JSON.stringify([choice.weight, choice.by, profile.filters.map(({id}) => choice[id]), choice.compare, choice.span]);
    if (base !== this.base) {
      this.calls = buildView(profile, callsTree(profile, choice));
      this.links = linksOf(profile, this.calls);
    }
    if (choice.view === 'method') this.chooseMethod();
    const shown = JSON.stringify([choice.view, choice.view === 'method' ? choice.method : '']);
    const isNew = base !== this.base || shown !== this.shown;
    if (isNew) this.growShown();
    Object.assign(this, {base, shown});
    return isNew;
  }

  growShown() {
    const {profile, choice} = this;
    if (choice.view === 'calls') {
      this.view = this.calls;
    } else if (choice.view === 'callers') {
      this.view = buildView(profile, callersTree(profile, choice));
    } else {
      const {callers, callees} = around(profile, choice, profile.labels.indexOf(choice.method));
      this.callersView = buildView(profile, callers);
      this.view = buildView(profile, callees);
    }
  }

  /** chooseMethod takes, where no method is chosen or the profile lacks it, the zoomed one, or the first of the table. */
  chooseMethod() {
    const {profile, choice, calls} = this;
    const isMethod = (label) => label >= 0 && label < profile.threadLabel;
    const chosen = [profile.labels.indexOf(choice.method), calls.label[Math.max(0, nodeOf(calls, choice.zoom))],
      ...sorted(profile, figures(profile, calls, 0), this.links, null, choice.sort)].find(isMethod);
    if (chosen === undefined) choice.view = 'calls'; // there are no methods
    else choice.method = profile.labels[chosen];
  }

  showStrip() {
    const {profile, choice, weight} = this;
    if (profile.time.buckets > 0) this.strip.show(overTime(profile, choice), choice.span, weight);
  }

  showGraph(isMoved) {
    const {profile, view, zoom, found, choice} = this;
    const isMethod = choice.view === 'method';
    const byGrowth = choice.colour === 'growth';
    for (const id of ['above', 'above-title', 'below-title']) document.getElementById(id).hidden = !isMethod;
    this.graph.box.setAttribute('aria-label', isMethod ? 'Callees' : choice.view === 'callers' ? 'Tree of callers' : 'Call tree');
    this.graph.show({profile, view, zoom, found, upwards: choice.layout === 'flame' && !isMethod, byGrowth}, isMoved);
    if (isMethod) {
      this.above.show({profile, view: this.callersView, zoom: 0, found, upwards: true, byGrowth}, isMoved);
      this.neighbours.show({callers: this.callersView, callees: view}, this.weight);
    } else {
      this.neighbours.hide();
    }
    const far = document.getElementById('far');
    far.hidden = !(isMethod ? this.callersView : view).isCut;
    far.textContent = `There are too many callers: those of frames below ${percent(narrowCaller, 1)} are left out.`;
    const empty = document.getElementById('empty');
    empty.hidden = view.width[0] > 0;
    empty.textContent = profile.samples.node.length === 0 ? 'The profile has no samples.'
      : `Nothing of what is chosen has ${noun(this.weight)}.`;
  }

  /** zoomedCalls is the node of the calls that the table and the legend are of: the zoomed one, if calls are shown. */
  zoomedCalls() { return this.view === this.calls ? this.zoom : 0; }

  showTable() {
    const {profile, calls, links, found, choice} = this;
    const zoom = this.zoomedCalls();
    const sum = figures(profile, calls, zoom);
    const isPressed = choice.view === 'method' ? (name) => name === choice.method : (name) => exactly(name) === choice.search;
    this.table.show({
      sum, links, labels: sorted(profile, sum, links, found, choice.sort), sort: choice.sort, weight: this.weight,
      whole: calls.total[zoom], pressed: profile.labels.findIndex((name, i) => i < profile.threadLabel && isPressed(name)),
      caption: `Methods, with their share of ${quantity(calls.total[zoom], this.weight)}`,
    });
  }

  /** showWords says what is shown and what a search finds. */
  showWords() {
    const {profile, view, calls, zoom, choice, weight} = this;
    const chosen = profile.filters.filter(({id}) => choice[id] >= 0)
      .map(({id, title, values}) => `${id === `label.${title}` ? title : id} ${values[choice[id]] || '(none)'}`);
    const parts = [amount(calls.total[0], weight), ...chosen];
    if (choice.span) parts.push(`${this.strip.words(choice.span)}`);
    if (choice.view === 'method') parts.push(`callers and callees of ${choice.method}`);
    if (profile.isDiff) parts.splice(1, 0, this.beforeInWords());
    if (zoom > 0) {
      const share = percent(view.total[zoom], view.total[0]);
      parts.push(`zoomed to ${profile.labels[view.label[zoom]]}: ${quantity(view.total[zoom], weight)}, ${share}`);
    }
    document.getElementById('summary').textContent = parts.join(' · ');
    const matched = document.getElementById('matched');
    matched.textContent = this.found ? this.matchedWords() : '';
  }

  beforeInWords() {
    const scale = baseScale(this.profile, this.choice);
    const before = `before ${quantity(this.calls.baseTotal[0] / scale, this.weight)}`;
    return scale === 1 ? before : `${before}, scaled by ${scale.toPrecision(2)}`;
  }

  matchedWords() {
    const {calls, weight, found, search} = this;
    const zoom = this.zoomedCalls();
    const sum = matchedTotal(calls, zoom, found);
    const words = `${percent(sum, calls.total[zoom])} matched, ${quantity(sum, weight)}`;
    return search.literal ? `${words} (searched as plain text)` : words;
  }

  showLegend() {
    const {profile, calls, choice, weight} = this;
    const zoom = this.zoomedCalls();
    this.showOwners(zoom);
    const item = (className, ...words) => {
      const entry = document.createElement('li');
      entry.append(text('span', '', className), ...words);
      return entry;
    };
    const list = document.getElementById('legend');
    if (choice.colour === 'growth') {
      list.replaceChildren(item('chip shrunk', 'shrank'), item('chip unchanged', 'same'), item('chip grown', 'grew or new'),
        item('chip vanished', 'vanished'), text('li', 'width: the larger of before and now', 'quiet'));
      return;
    }
    const shares = kindShares(profile, calls, zoom);
    list.replaceChildren(text('li', `${noun(weight)} spent in`, 'quiet'), ...kinds.slice(0, noKind).map(({name, title}, kind) =>
      item(`chip ${name}`, title, text('span', ` ${percent(shares[kind], calls.total[zoom])}`, 'quiet'))));
  }

  /** showOwners is the legend by the first application frame: whose work the time is. */
  showOwners(zoom) {
    const {profile, calls} = this;
    const all = owners(profile, calls, zoom);
    const share = (value) => text('span', ` ${percent(value, calls.total[zoom])}`, 'quiet');
    const items = all.slice(0, ownersAtMost).map(([label, value]) => {
      const item = document.createElement('li');
      if (label < 0) {
        item.append('no application frame', share(value));
        return item;
      }
      const button = text('button', '');
      button.type = 'button';
      button.append(text('bdi', profile.labels[label]));
      button.addEventListener('click', () => this.about(label));
      item.append(button, share(value));
      return item;
    });
    const left = all.length - items.length;
    if (left > 0) items.push(text('li', `and ${digits.format(left)} more`, 'quiet'));
    const list = document.getElementById('owners');
    list.hidden = items.length === 0;
    list.replaceChildren(text('li', 'By first application frame', 'quiet'), ...items);
  }

  /** applyTheme sets the chosen theme, or the one of the system. */
  applyTheme() {
    const theme = this.choice.theme || (this.dark.matches ? 'dark' : 'light');
    if (document.documentElement.dataset.theme === theme) return;
    document.documentElement.dataset.theme = theme;
    this.graph.repaint();
    this.above.repaint();
  }

  fillNotes() {
    const {notes} = this.profile;
    const box = document.getElementById('notes');
    box.hidden = notes.length === 0;
    box.querySelector('ul').append(...notes.map((note) => text('li', note)));
  }

  /** print puts the page on paper: light, with the notes, and as much of the graph as a sheet takes. */
  print(isOn) {
    const notes = document.getElementById('notes');
    if (isOn) this.notesOpen = notes.open;
    notes.open = isOn || this.notesOpen;
    if (isOn) document.documentElement.dataset.theme = 'light'; else this.applyTheme();
    const left = this.graph.paper(isOn) + this.above.paper(isOn);
    const cut = document.getElementById('cut');
    cut.hidden = left === 0;
    cut.textContent = `${digits.format(left)} more rows of frames are not printed.`;
  }
}

readProfile().then((profile) => {
  new Page(profile);
  performance.mark('shown');
}).catch((error) => {
  const failure = document.getElementById('failure');
  failure.textContent = `This page could not be shown: ${error.message}`;
  failure.hidden = false;
});
