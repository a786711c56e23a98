/*
 * Draws each FOLDER's graph.mmd with Mermaid and compares the labels in the
 * drawing with the names in its plan.json.
 *
 *     node check.mjs FOLDER...
 */
import { readFileSync } from 'node:fs';
import { JSDOM } from 'jsdom';

const { window } = new JSDOM('', { pretendToBeVisual: true });
globalThis.window = window;
globalThis.document = window.document;

// Nothing is laid out here, so every box has the same size.
const box = { x: 0, y: 0, left: 0, top: 0, width: 100, height: 20 };
window.Element.prototype.getBoundingClientRect = () => box;
window.SVGElement.prototype.getBBox = () => box;
window.SVGElement.prototype.getComputedTextLength = () => box.width;

const { default: mermaid } = await import('mermaid');
mermaid.initialize({ startOnLoad: false });

function labels(drawing, selector) {
  return [...drawing.querySelectorAll(selector)]
    .map((label) => label.textContent)
    .sort();
}

function wanted(plan) {
  const ttl = (queue) => queue.arguments['x-message-ttl'];
  const main = plan.queues.filter((queue) => queue.role === 'main');
  const buckets = plan.queues.filter((queue) => queue.role === 'retry_bucket');
  const retried = plan.logical_queues.filter((queue) => queue.retry_exchange);
  return {
    '.node .nodeLabel': [...plan.exchanges, ...plan.queues].map((x) => x.name),
    '.cluster-label .nodeLabel': plan.logical_queues.map((x) => x.name),
    '.edgeLabel .label .edgeLabel': [
      ...plan.bindings.map((binding) => binding.routing_key),
      ...buckets.map((queue) => `after ${ttl(queue)} ms`),
      ...main.map((queue) =>
        ttl(queue) ? `rejected or after ${ttl(queue)} ms` : 'rejected'),
      ...retried.map(() => 'retry'),
    ],
  };
}

let bad = 0;
for (const [index, folder] of process.argv.slice(2).entries()) {
  const text = readFileSync(`${folder}/graph.mmd`, 'utf8');
  const plan = JSON.parse(readFileSync(`${folder}/plan.json`, 'utf8'));
  await mermaid.parse(text);
  const { svg } = await mermaid.render(`drawing${index}`, text);
  const drawing = new JSDOM(svg).window.document;
  for (const [selector, names] of Object.entries(wanted(plan))) {
    const got = JSON.stringify(labels(drawing, selector));
    const want = JSON.stringify(names.sort());
    if (got !== want) {
      console.error(`${folder}: ${selector}\n  got      ${got}\n  expected ${want}`);
      bad++;
    }
  }
}
process.exit(bad ? 1 : 0);
