// The profile as the page holds it: base64 of gzip of JSON; page.go's payload says what is in it.

/** The kinds of code, by their number in the data; the last stands for threads and the whole, which are no code. */
const kinds = [
  {name: 'application', title: 'Application'},
  {name: 'framework', title: 'Framework'},
  {name: 'jdk', title: 'JDK'},
  {name: 'jvm', title: 'JVM'},
  {name: 'native', title: 'Native'},
  {name: 'kernel', title: 'Kernel'},
  {name: 'none', title: ''},
];
const noKind = kinds.length - 1;

function fromBase64(text) {
  const binary = atob(text.trim());
  const out = new Uint8Array(binary.length);
  for (let i = 0; i < out.length; i++) out[i] = binary.charCodeAt(i);
  return out;
}

/** readProfile unpacks the data and gives every label (function, thread, the whole) one number. */
async function readProfile() {
  const packed = new Blob([fromBase64(document.getElementById('profile').textContent)]);
  const raw = await new Response(packed.stream().pipeThrough(new DecompressionStream('gzip'))).json();
  const {functions, nodes} = raw;
  const labels = [...functions.name, ...raw.threads, 'all'];
  const kind = new Uint8Array(labels.length).fill(noKind);
  kind.set(functions.kind);
  const parent = Int32Array.from(nodes.up, (up, i) => i - up);
  return {
    ...raw, labels, kind,
    nodes: {parent, function: Int32Array.from(nodes.function), line: nodes.line, lastLine: nodes.lastLine},
    threadLabel: functions.name.length,
    wholeLabel: labels.length - 1,
    filters: filtersOf(raw),
    isDiff: raw.samples.base.length > 0,
    time: {...raw.time, first: starts(raw.time.count)},
  };
}

/**
 * filtersOf are the labels that samples can be chosen by: {id, title, values, group}, with the number of the value in each
 * group. The id names a choice and a part of the link; those of a program's own labels begin alike, and are nothing else.
 */
function filtersOf({threads, pools, states, groups, labels}) {
  return [
    {id: 'thread', title: 'Thread', values: threads, group: groups.thread},
    {id: 'pool', title: 'Pool', values: pools, group: groups.pool},
    {id: 'state', title: 'State', values: states, group: groups.state},
    ...labels.map(({name, values, group}) => ({id: `label.${name}`, title: name, values, group})),
  ];
}

/** starts turns how many things each has into where the things of each begin, and the last ones end. */
function starts(counts) {
  const first = new Int32Array(counts.length + 1);
  counts.forEach((count, i) => { first[i + 1] = first[i] + count; });
  return first;
}
