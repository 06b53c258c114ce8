// The samples that the filters let through, and what they count.

/** columnOf is the value of each sample by the weight and in the time that are chosen; choice.span is [from, to) in buckets. */
function columnOf(profile, choice) {
  const all = profile.samples.values[choice.weight] ?? []; // a profile without sample types has none
  if (!choice.span) return all;
  const {first, bucket, values} = profile.time;
  const [from, to] = choice.span;
  return all.map((_, s) => {
    let sum = 0;
    for (let i = first[s]; i < first[s + 1]; i++) {
      if (bucket[i] >= from && bucket[i] < to) sum += values[choice.weight][i];
    }
    return sum;
  });
}

/** overTime is the value of each bucket by the weight that is chosen, of what the filters let through at any time. */
function overTime(profile, choice) {
  const {first, bucket, values, buckets} = profile.time;
  const sum = new Float64Array(buckets);
  for (const samples of counted(profile, {...choice, by: 'merged', span: null}).byThread.values()) {
    for (const s of samples) {
      for (let i = first[s]; i < first[s + 1]; i++) sum[bucket[i]] += values[choice.weight][i];
    }
  }
  return sum;
}

/** baseScale is what the base is multiplied with, so that shares are compared where the two are of different lengths. */
function baseScale(profile, choice) {
  if (!profile.isDiff || choice.compare !== 'shares') return 1;
  const total = (column) => column.reduce((sum, value) => sum + value, 0);
  return total(profile.samples.values[choice.weight]) / total(profile.samples.base[choice.weight]) || 1;
}

/** counted is what the choice lets through: {now, base} are values by sample, byThread the samples that have one, all under -1 if merged. */
function counted(profile, choice) {
  const {groups, samples} = profile;
  const now = columnOf(profile, choice);
  const scale = baseScale(profile, choice);
  const base = profile.isDiff ? samples.base[choice.weight].map((value) => scale * value) : null;
  const chosen = profile.filters.filter(({id}) => choice[id] >= 0);
  const wanted = groups.thread.map((_, g) => chosen.every(({id, group}) => group[g] === choice[id]));
  const byThread = new Map();
  for (let s = 0; s < now.length; s++) {
    const group = samples.group[s];
    if (!wanted[group] || !(now[s] || base?.[s])) continue;
    const thread = choice.by === 'thread' ? groups.thread[group] : -1;
    const list = byThread.get(thread);
    if (list) list.push(s); else byThread.set(thread, [s]);
  }
  return {now, base, byThread};
}
