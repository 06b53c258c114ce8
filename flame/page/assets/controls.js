// The controls above the graph: choices of one among few are radio buttons, filters are lists.

const views = [{value: 'calls', title: 'Calls'}, {value: 'callers', title: 'Callers'}, {value: 'method', title: 'Method'}];
const layouts = [{value: 'icicle', title: 'Icicle'}, {value: 'flame', title: 'Flame'}];
const groupings = [{value: 'merged', title: 'Merged'}, {value: 'thread', title: 'By thread'}];
const colourings = [{value: 'kind', title: 'Code'}, {value: 'growth', title: 'Growth'}];
const comparisons = [{value: 'values', title: 'Values'}, {value: 'shares', title: 'Shares'}];
const themes = [{value: '', title: 'Auto'}, {value: 'light', title: 'Light'}, {value: 'dark', title: 'Dark'}];

class Controls {
  /** update(patch) is called with what the user chose. */
  constructor(profile, update) {
    this.profile = profile;
    this.update = update;
    this.search = document.getElementById('search');
    this.search.addEventListener('input', () => update({search: this.search.value}));
    this.search.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && this.search.value !== '') update({search: ''});
    });
    document.getElementById('controls').addEventListener('submit', (event) => event.preventDefault());
    document.getElementById('theme').addEventListener('click', () => this.nextTheme());
    this.addSegments('weight', profile.weights.map((w, i) => ({value: i, title: weightTitle(w)})));
    this.addSegments('view', views);
    this.addSegments('by', groupings, profile.threads.length < 2);
    this.addSegments('layout', layouts);
    this.addSegments('colour', colourings, !profile.isDiff);
    this.addSegments('compare', comparisons, !profile.isDiff);
    this.lists = profile.filters.map((filter) => this.addFilter(filter));
    this.addKeys();
  }

  addSegments(name, options, isHidden = options.length < 2) {
    const box = document.getElementById(name);
    box.hidden = isHidden;
    for (const {value, title} of options) {
      const label = document.createElement('label');
      const input = Object.assign(document.createElement('input'), {type: 'radio', name, value: `${value}`});
      input.addEventListener('change', () => this.update({[name]: value}));
      label.append(input, text('span', title));
      box.append(label);
    }
  }

  /** addFilter lists the values of a label by name; a label with one value is no choice. */
  addFilter({id, title, values}) {
    const label = document.createElement('label');
    const list = Object.assign(document.createElement('select'), {id});
    label.className = 'filter';
    label.append(text('bdi', title), ' ', list);
    label.hidden = values.length < 2;
    document.getElementById('view').before(label);
    const order = values.map((_, i) => i).sort((a, b) => values[a].localeCompare(values[b], 'en', {numeric: true}));
    list.append(new Option('All', '-1'), ...order.map((i) => new Option(values[i] || '(none)', `${i}`)));
    list.addEventListener('change', () => this.update({[id]: Number(list.value)}));
    return list;
  }

  addKeys() {
    const help = document.getElementById('help');
    document.getElementById('keys').addEventListener('click', () => help.showModal());
    document.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input[type=search], select')) return;
      if (event.key === '/') this.search.focus();
      else if (event.key === '?' && !help.open) help.showModal();
      else return;
      event.preventDefault();
    });
  }

  nextTheme() {
    const at = themes.findIndex(({value}) => value === this.theme);
    this.update({theme: themes[(at + 1) % themes.length].value});
  }

  /** show sets every control to a choice. */
  show(choice) {
    for (const name of ['weight', 'view', 'by', 'layout', 'colour', 'compare']) {
      for (const input of document.getElementsByName(name)) input.checked = input.value === `${choice[name]}`;
    }
    for (const list of this.lists) {
      list.value = `${choice[list.id]}`;
      list.classList.toggle('chosen', choice[list.id] >= 0);
    }
    if (this.search.value !== choice.search) this.search.value = choice.search;
    this.theme = choice.theme;
    const {title} = themes.find(({value}) => value === choice.theme);
    document.getElementById('theme').textContent = `Theme: ${title.toLowerCase()}`;
    document.getElementById('unzoom').disabled = choice.zoom === '';
    const isMethod = choice.view === 'method';
    document.getElementById('layout').hidden = isMethod;
    document.getElementById('by').hidden = isMethod || this.profile.threads.length < 2;
  }
}
