// Whether the site's search finds first what is looked for, by the theme's own search code and the site's search.js.
//
//     node docs/site/ranks.mjs SITE
//
// Prints each query whose first result is another, and exits with 1 if there is one.

import fs from "node:fs";

const FIRST = {
  "nn.Conv2d": "reference/nn/Conv2d/",
  "conv2d": "reference/nn/Conv2d/",
  "mindspore.nn.Conv2d": "reference/nn/Conv2d/",
  "Adam": "reference/nn/Adam/",
  "softmax": "reference/nn/Softmax/",
  "batchnorm2d": "reference/nn/BatchNorm2d/",
  "grad": "reference/mindspore/grad/",
  "value_and_grad": "reference/mindspore/value_and_grad/",
  "save_checkpoint": "reference/mindspore/save_checkpoint/",
  "Model.train": "reference/train/Model/",
  "NumpySlicesDataset": "reference/dataset/NumpySlicesDataset/",
  "to_jax": "reference/msgrad/to_jax/",
  "install": "install/",
  "GPU not found": "troubleshooting/",
};
const LAST = /^(CHANGELOG|names|operations|coverage)\//; // never among the first five

const [site] = process.argv.slice(2);
const folder = `${site}/assets/javascripts/workers`;
const worker = fs.readdirSync(folder).find(name => /^search\..*\.js$/.test(name));
const answers = [];
let listener;
Object.assign(globalThis, {
  self: globalThis,
  addEventListener: (_, heard) => { listener = heard; },
  postMessage: message => answers.shift()(message),
});
const evaluate = eval; // in the global scope, as a page does
evaluate(fs.readFileSync(`${folder}/${worker}`, "utf8"));
evaluate(fs.readFileSync(`${site}/assets/search.js`, "utf8"));
const ask = data => new Promise(answered => { answers.push(answered); listener({ data }); });

const { config, docs } = JSON.parse(fs.readFileSync(`${site}/search/search_index.json`, "utf8"));
await ask({ type: 0, data: { config, docs, options: { suggest: false } } });
let failed = false;
for (const [query, first] of Object.entries(FIRST)) {
  const { data } = await ask({ type: 2, data: withExactWords(query) });
  const found = data.items.slice(0, 5).map(group => group[0].location.split("#")[0]);
  if (found[0] !== first || found.some(place => LAST.test(place))) {
    console.log(`'${query}' finds ${found.join(", ")}, not first ${first}`);
    failed = true;
  }
}
process.exit(failed ? 1 : 0);
