// What is chosen, in the address of the page: #weight=wall&thread=main&zoom=17. A link holds only what differs from the
// page's beginning. It may come from anybody: what it says is taken only if the page has it.

/** beginning is what is chosen before anybody chose. */
function beginning(profile) {
  return {
    weight: profile.weight, by: 'merged', layout: 'icicle', ...Object.fromEntries(profile.filters.map(({id}) => [id, -1])),
    view: 'calls', method: '', span: null,
    colour: profile.isDiff ? 'growth' : 'kind', compare: 'shares', search: '', zoom: '', theme: '',
    sort: {column: profile.isDiff ? 'change' : 'self', descending: true},
  };
}

/** readLink is the choice that an address's fragment makes. */
function readLink(profile, fragment) {
  const link = new URLSearchParams(fragment.replace(/^#/, ''));
  const start = beginning(profile);
  const among = (name, options) => {
    const found = options.find(({value}) => value === link.get(name));
    return found ? found.value : start[name];
  };
  const indexIn = (name, values) => (link.has(name) ? values.indexOf(link.get(name)) : -1);
  const weight = profile.weights.findIndex(({name}) => name === link.get('weight'));
  const [, direction, column] = /^(-?)(\w+)$/.exec(link.get('sort') ?? '') ?? [];
  const isColumn = columns.some(({name, onlyInDiff}) => name === column && (profile.isDiff || !onlyInDiff));
  return {
    ...start,
    weight: weight >= 0 ? weight : start.weight,
    view: among('view', views), method: (link.get('method') ?? '').slice(0, 4000), span: spanIn(profile, link.get('span')),
    by: among('by', groupings), layout: among('layout', layouts), theme: among('theme', themes),
    colour: profile.isDiff ? among('colour', colourings) : start.colour,
    compare: profile.isDiff ? among('compare', comparisons) : start.compare,
    ...Object.fromEntries(profile.filters.map(({id, values}) => [id, indexIn(id, values)])),
    search: (link.get('search') ?? '').slice(0, 2000), zoom: link.get('zoom') ?? '',
    sort: isColumn ? {column, descending: direction === '-'} : start.sort,
  };
}

/** spanIn is the span of a link, "3-17": from bucket 3 to before bucket 17; null if the capture has none such. */
function spanIn(profile, word) {
  const [, ...ends] = /^(\d{1,3})-(\d{1,3})$/.exec(word ?? '') ?? [];
  const [from, to] = ends.map(Number);
  return from < to && to <= profile.time.buckets ? [from, to] : null;
}

/** fragmentOf is the link to a choice, '' for the beginning. */
function fragmentOf(profile, choice) {
  const start = beginning(profile);
  const link = new URLSearchParams();
  const set = (name, value, usual) => { if (value !== usual) link.set(name, value); };
  const sortName = ({column, descending}) => `${descending ? '-' : ''}${column}`;
  set('weight', profile.weights[choice.weight]?.name, profile.weights[start.weight]?.name);
  for (const {id, values} of profile.filters) {
    if (choice[id] >= 0) link.set(id, values[choice[id]]);
  }
  set('method', choice.view === 'method' ? choice.method : '', '');
  set('span', choice.span ? choice.span.join('-') : '', '');
  for (const name of ['view', 'by', 'layout', 'colour', 'compare', 'search', 'zoom', 'theme']) set(name, choice[name], start[name]);
  set('sort', sortName(choice.sort), sortName(start.sort));
  return link.size > 0 ? `#${link}` : '';
}

/** writeLink puts the choice into the address; a step that the browser's Back undoes if isStep. */
function writeLink(profile, choice, isStep) {
  const fragment = fragmentOf(profile, choice);
  if (fragment === location.hash) return;
  const address = fragment || location.pathname + location.search;
  try {
    if (isStep) history.pushState(null, '', address); else history.replaceState(null, '', address);
  } catch { // in a frame without an origin, or after very many changes: the page works without
  }
}
