// The table of methods beside the graph.

const columns = [
  {name: 'name', title: 'Method'},
  {name: 'self', title: 'Self'},
  {name: 'total', title: 'Total'},
  {name: 'change', title: 'Change', onlyInDiff: true},
  {name: 'callers', title: 'Callers', isCount: true},
  {name: 'callees', title: 'Callees', isCount: true},
];
const rowsAtOnce = 60;

class MethodTable {
  /** on is {sort(column), mark(name)}. */
  constructor(profile, on) {
    this.profile = profile;
    this.on = on;
    this.table = document.getElementById('methods');
    this.body = this.table.tBodies[0];
    this.rest = document.getElementById('rest');
    this.limit = rowsAtOnce;
    this.columns = columns.filter((column) => profile.isDiff || !column.onlyInDiff);
    this.buildHead();
    this.body.addEventListener('click', (event) => {
      const button = event.target.closest('tr')?.querySelector('button');
      if (button) on.mark(button.dataset.name);
    });
    this.body.addEventListener('keydown', (event) => this.key(event));
    document.getElementById('more').addEventListener('click', () => this.showMore());
  }

  buildHead() {
    const cells = this.columns.map(({name, title, isCount}) => {
      const cell = document.createElement('th');
      const button = text('button', title);
      button.type = 'button';
      button.addEventListener('click', () => this.on.sort(name));
      cell.scope = 'col';
      cell.dataset.column = name;
      if (name !== 'name' && !isCount) cell.colSpan = 2;
      if (isCount) cell.className = 'count';
      cell.append(button);
      return cell;
    });
    this.table.tHead.rows[0].replaceChildren(...cells);
  }

  /** show fills the table: content is {sum, links, labels, whole, weight, sort, pressed, caption}; pressed is the label that is chosen. */
  show(content) {
    this.content = content;
    this.limit = rowsAtOnce;
    this.table.caption.textContent = content.caption;
    for (const cell of this.table.tHead.rows[0].cells) {
      const isSorted = cell.dataset.column === content.sort.column;
      if (isSorted) cell.setAttribute('aria-sort', content.sort.descending ? 'descending' : 'ascending');
      else cell.removeAttribute('aria-sort');
    }
    this.body.replaceChildren(...this.rows(0, this.limit));
    this.countRest();
  }

  rows(from, to) {
    return Array.from(this.content.labels.subarray(from, to), (label, i) => this.row(label, from + i === 0));
  }

  row(label, isFirst) {
    const {sum, links, whole, weight, pressed} = this.content;
    const name = this.profile.labels[label];
    const row = document.createElement('tr');
    const head = document.createElement('th');
    head.scope = 'row';
    const button = document.createElement('button');
    button.type = 'button';
    button.tabIndex = isFirst ? 0 : -1;
    button.dataset.name = name;
    button.title = name;
    button.setAttribute('aria-pressed', `${label === pressed}`);
    button.append(text('span', '', `chip ${kinds[this.profile.kind[label]].name}`), ...this.name(name));
    head.append(button);
    row.append(head, ...this.value(sum.self[label], whole, weight), ...this.value(sum.total[label], whole, weight));
    if (this.profile.isDiff) row.append(...this.change(sum.total[label], sum.baseTotal[label], weight));
    row.append(...['callers', 'callees'].map((name) => text('td', digits.format(links[name][label]), 'count')));
    return row;
  }

  /** name is a method with its class, and its package set back, the first to go where there is no room. */
  name(name) {
    const [, short = name] = shortForms(name);
    const method = text('bdi', short);
    return short === name ? [method] : [method, ' ', text('bdi', name.slice(0, name.length - short.length - 1), 'package')];
  }

  value(value, whole, weight) {
    if (value === 0) return [text('td', '–', 'zero'), text('td', '', 'share')];
    return [text('td', quantity(value, weight)), text('td', percent(value, whole), 'share')];
  }

  change(now, before, weight) {
    const side = now > before ? 'growth' : now < before ? 'shrinkage' : 'zero';
    const amount = now === before ? '–' : change(now - before, weight);
    return [text('td', amount, side), text('td', growthInWords(now, before), `share ${side}`)];
  }

  showMore() {
    const from = this.limit;
    this.limit += 5 * rowsAtOnce;
    const rows = this.rows(from, this.limit);
    this.body.append(...rows);
    this.countRest();
    this.focus(rows[0]);
  }

  countRest() {
    const left = this.content.labels.length - this.limit;
    this.rest.hidden = left <= 0;
    this.rest.firstElementChild.textContent = `${digits.format(Math.max(0, left))} more methods`;
  }

  key(event) {
    const row = event.target.closest('tr');
    const target = {
      ArrowDown: row?.nextElementSibling, ArrowUp: row?.previousElementSibling,
      Home: this.body.firstElementChild, End: this.body.lastElementChild,
    }[event.key];
    if (!target) return;
    event.preventDefault();
    this.focus(target);
  }

  focus(row) {
    const button = row?.querySelector('button');
    if (!button) return;
    for (const other of this.body.querySelectorAll('button[tabindex="0"]')) other.tabIndex = -1;
    button.tabIndex = 0;
    button.focus();
  }
}
