// The direct callers and callees of the method that the page is about, as lists.

const neighboursAtMost = 8;

class Neighbours {
  /** choose(label) is called with the method that the user wants to see next. */
  constructor(profile, choose) {
    this.profile = profile;
    this.choose = choose;
    this.box = document.getElementById('neighbours');
  }

  hide() { this.box.hidden = true; }

  /** show lists what is right under the roots of the views of a method: {callers, callees}. */
  show({callers, callees}, weight) {
    this.box.hidden = false;
    const method = callees.label[0];
    const [total, self] = [callees.total[0], callees.self[0]];
    this.box.querySelector('h2').replaceChildren(text('span', '', `chip ${kinds[this.profile.kind[method]].name}`),
      text('bdi', this.profile.labels[method]));
    this.box.querySelector('p').textContent =
      `Total ${quantity(total, weight)}; self ${quantity(self, weight)}, ${percent(self, total)} of it`;
    this.list('callers-list', callers, weight, 'No caller: it is the outermost method of its stacks.');
    this.list('callees-list', callees, weight, 'No callee: it calls nothing that was seen.');
  }

  list(id, view, weight, none) {
    const [from, to] = [view.first[0], view.first[1]];
    const end = Math.min(to, from + neighboursAtMost);
    const items = Array.from({length: end - from}, (_, i) => this.item(view, from + i, weight));
    if (from === to) items.push(text('li', none, 'quiet'));
    if (end < to) items.push(text('li', `and ${digits.format(to - end)} more`, 'quiet'));
    document.getElementById(id).replaceChildren(...items);
  }

  item(view, node, weight) {
    const label = view.label[node];
    const item = document.createElement('li');
    const button = text('button', '');
    button.type = 'button';
    button.title = this.profile.labels[label];
    button.append(text('span', '', `chip ${kinds[this.profile.kind[label]].name}`), text('bdi', this.profile.labels[label]));
    button.addEventListener('click', () => this.choose(label));
    item.append(button, text('span', quantity(view.total[node], weight), 'value'),
      text('span', percent(view.total[node], view.total[0]), 'share'));
    return item;
  }
}
