// import.js PACKAGE FILE: has the importer of speedscope's npm package read FILE, and prints what it
// makes of it: per profile its name, unit, total, and the total and self weight of each frame.
const fs = require('fs'), path = require('path'), vm = require('vm');
const [folder, file] = process.argv.slice(2);
const release = path.join(folder, 'dist/release');
const script = fs.readdirSync(release).find(name => /^speedscope-.*\.js$/.test(name));
const source = fs.readFileSync(path.join(release, script), 'utf8');

// the package is one minified script: its importer is known by what it says before it is called
const importer = /"Importing as speedscope json file"\),([\w$]+)\(/.exec(source)[1];
const page = 'console.log(`speedscope v';
if (source.split(page).length !== 2) throw new Error('the package begins its page in another way');
const nothing = new Proxy(function () {}, {
  get: (_, key) => key === Symbol.toPrimitive ? () => '' : key === Symbol.iterator ? undefined : nothing,
  apply: () => nothing, construct: () => nothing, set: () => true,
});
const context = {console: {log() {}, warn() {}, error() {}}, URL, Blob, TextDecoder, TextEncoder, setTimeout, clearTimeout};
for (const name of ['window', 'document', 'navigator', 'location', 'localStorage', 'self', 'history', 'requestAnimationFrame', 'matchMedia']) context[name] = nothing;
vm.runInNewContext(source.replace(page, `globalThis.importer=${importer};return;` + page), context, {filename: script});

const group = context.importer(JSON.parse(fs.readFileSync(file, 'utf8')));
console.log(JSON.stringify({
  shown: group.indexToView,
  profiles: group.profiles.map(p => {
    const frames = {};
    p.forEachFrame(f => { const x = frames[f.name] ||= {total: 0, self: 0}; x.total += f.getTotalWeight(); x.self += f.getSelfWeight(); });
    return {name: p.getName(), unit: p.getWeightUnit(), total: p.getTotalNonIdleWeight(), frames};
  }),
}));
