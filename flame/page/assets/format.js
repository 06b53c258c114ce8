// How values and names are written.

const digits = new Intl.NumberFormat('en');

/** seconds writes a time as 0.45 ms, 45 ms, 1.23 s, 3 m 12 s or 5 h 3 m. */
function seconds(value) {
  const size = Math.abs(value);
  if (size === 0) return '0 s';
  if (size < 0.01) return `${(value * 1000).toFixed(2)} ms`;
  if (size < 0.9995) return `${(value * 1000).toFixed(0)} ms`;
  if (size < 59.995) return `${value.toFixed(2)} s`;
  const sign = value < 0 ? '−' : '';
  const whole = Math.round(size);
  if (whole < 3600) return `${sign}${Math.floor(whole / 60)} m ${whole % 60} s`;
  return `${sign}${digits.format(Math.floor(whole / 3600))} h ${Math.floor(whole / 60) % 60} m`;
}

/** bytes writes a size in units of 1024. */
function bytes(value) {
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];
  let unit = 0;
  for (; Math.abs(value) >= 1023.95 && unit < units.length - 1; unit++) value /= 1024;
  return `${value.toFixed(unit === 0 || Math.abs(value) >= 99.95 ? 0 : 1)} ${units[unit]}`;
}

const secondsPerUnit = {nanoseconds: 1e-9, microseconds: 1e-6, milliseconds: 1e-3, seconds: 1};

/** quantity writes a value of a weight: {name, unit}. */
function quantity(value, weight) {
  if (weight.unit in secondsPerUnit) return seconds(value * secondsPerUnit[weight.unit]);
  if (weight.unit === 'bytes') return bytes(value);
  const number = digits.format(Math.round(value));
  return weight.unit === 'count' || weight.unit === '' ? number : `${number} ${weight.unit}`;
}

/** percent writes part of whole, with what is there but rounds to nothing as <0.1. */
function percent(part, whole) {
  if (!whole) return '–';
  const share = 100 * part / whole;
  if (share > 0 && share < 0.05) return '<0.1 %';
  return `${share.toFixed(1)} %`;
}

/** change writes a growth or shrinkage with its sign. */
function change(value, weight) {
  const text = quantity(Math.abs(value), weight);
  return value > 0 ? `+${text}` : value < 0 ? `−${text}` : text;
}

/** weightTitle is what a sample type is called on the page. */
function weightTitle(weight) {
  const titles = {cpu: 'CPU', wall: 'Wall', samples: 'Samples', alloc_space: 'Allocated', lock: 'Lock'};
  return Object.hasOwn(titles, weight.name) ? titles[weight.name] : weight.name;
}

/** noun is a weight in a sentence: "9.82 s of CPU time". */
function noun(weight) {
  const time = weight.unit in secondsPerUnit;
  const nouns = {cpu: 'CPU time', wall: 'wall time', samples: 'samples', alloc_space: 'allocated memory', lock: 'time waiting for locks'};
  return Object.hasOwn(nouns, weight.name) ? nouns[weight.name] : `${weight.name}${time ? ' time' : ''}`;
}

/** amount is a value with its weight: "9.82 s of CPU time", "20 samples". */
function amount(value, weight) {
  return `${quantity(value, weight)} ${weight.unit === 'count' ? '' : 'of '}${noun(weight)}`;
}

const javaName = /^(?:[\p{L}_$][\p{L}\p{N}_$]*[./])+[^./\s]+$/u;

/**
 * shortForms are a name and what is left of it when there is less room: without its package, without its class; of a
 * native function without its file, unless it is but a place in that file.
 */
function shortForms(name) {
  const symbol = name.indexOf('!') + 1;
  if (symbol > 0) return name.startsWith('0x', symbol) ? [name] : [name, name.slice(symbol)];
  if (!javaName.test(name)) return [name];
  const parts = name.split(/[./]/);
  return parts.length > 2 ? [name, parts.slice(-2).join('.'), parts.at(-1)] : [name, parts.at(-1)];
}

/** exactly is a regular expression that matches this name and no other. */
function exactly(name) {
  return `^${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`;
}
