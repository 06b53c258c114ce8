// The page: one choice, and everything shown follows from it.

class Page {
  constructor(profile) {
    this.profile = profile;
    this.choice = readLink(profile, location.hash);
    this.dark = matchMedia('(prefers-color-scheme: dark)');
    this.tooltip = new Tooltip();
    this.controls = new Controls(profile, (patch) => this.update(patch));
    this.table = new MethodTable(profile, {sort: (column) => this.sortBy(column), mark: (name) => this.mark(name)});
    this.graph = new Graph({
      zoom: (node) => this.update({zoom: keyOf(this.view, node)}, true),
      unzoom: (levels) => this.unzoom(levels),
      hover: (node, x, y) => this.tooltip.show(node, x, y, (n) => facts(...this.seen(), n)),
      leave: () => this.tooltip.hide(),
    }, (node) => sentence(...this.seen(), node));
    this.listen();
    this.fillNotes();
    this.show();
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
    addEventListener('resize', () => this.graph.draw());
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

  unzoom(levels) {
    if (this.zoom > 0) {
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
    const search = exactly(name);
    this.update({search: this.choice.search === search ? '' : search});
  }

  seen() { return [this.profile, this.view, this.zoom, this.weight]; }

  show() {
    const {profile, choice} = this;
    const tree = JSON.stringify([choice.weight, choice.by, choice.thread, choice.pool, choice.state, choice.compare]);
    const isNewTree = tree !== this.tree;
    if (isNewTree) this.view = buildView(profile, choice);
    this.tree = tree;
    this.weight = profile.weights[choice.weight] ?? {name: 'samples', unit: 'count'};
    const zoom = Math.max(0, nodeOf(this.view, choice.zoom));
    if (zoom === 0) choice.zoom = '';
    const isMoved = isNewTree || zoom !== this.zoom || choice.layout !== this.layout;
    this.zoom = zoom;
    this.layout = choice.layout;
    this.search = find(choice.search);
    this.found = hits(profile, this.search);
    this.controls.show(choice);
    this.applyTheme();
    this.tooltip.hide();
    this.showGraph(isMoved);
    this.showTable();
    this.showWords();
    this.showLegend();
  }

  showGraph(isMoved) {
    const {profile, view, zoom, found, choice} = this;
    const upwards = choice.layout === 'flame';
    const byGrowth = choice.colour === 'growth';
    this.graph.show({profile, view, zoom, found, upwards, byGrowth}, isMoved);
    const empty = document.getElementById('empty');
    empty.hidden = view.width[0] > 0;
    empty.textContent = profile.samples.node.length === 0 ? 'The profile has no samples.'
      : `Nothing of what is chosen has ${noun(this.weight)}.`;
  }

  showTable() {
    const {profile, view, zoom, found, choice} = this;
    const sum = figures(profile, view, zoom);
    this.table.show({
      sum, labels: sorted(profile, sum, found, choice.sort), sort: choice.sort, weight: this.weight,
      whole: view.total[zoom], search: choice.search,
      caption: `Methods, with their share of ${quantity(view.total[zoom], this.weight)}`,
    });
  }

  /** showWords says what is shown and what a search finds. */
  showWords() {
    const {profile, view, zoom, choice, weight} = this;
    const chosen = [['thread', profile.threads], ['pool', profile.pools], ['state', profile.states]]
      .filter(([name]) => choice[name] >= 0).map(([name, values]) => `${name} ${values[choice[name]] || '(none)'}`);
    const parts = [amount(view.total[0], weight), ...chosen];
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
    const before = `before ${quantity(this.view.baseTotal[0] / scale, this.weight)}`;
    return scale === 1 ? before : `${before}, scaled by ${scale.toPrecision(2)}`;
  }

  matchedWords() {
    const {view, zoom, weight, found, search} = this;
    const sum = matchedTotal(view, zoom, found);
    const words = `${percent(sum, view.total[zoom])} matched, ${quantity(sum, weight)}`;
    return search.literal ? `${words} (searched as plain text)` : words;
  }

  showLegend() {
    const {profile, view, zoom, choice, weight} = this;
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
    const shares = kindShares(profile, view, zoom);
    list.replaceChildren(text('li', `${noun(weight)} spent in`, 'quiet'), ...kinds.slice(0, noKind).map(({name, title}, kind) =>
      item(`chip ${name}`, title, text('span', ` ${percent(shares[kind], view.total[zoom])}`, 'quiet'))));
  }

  /** applyTheme sets the chosen theme, or the one of the system. */
  applyTheme() {
    const theme = this.choice.theme || (this.dark.matches ? 'dark' : 'light');
    if (document.documentElement.dataset.theme === theme) return;
    document.documentElement.dataset.theme = theme;
    this.graph.repaint();
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
    const left = this.graph.paper(isOn);
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
