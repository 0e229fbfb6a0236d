// Runs charts with a package of npm, as speed_peers_test.go says.
// Usage: node node.mjs PACKAGE FOLDER CHARTS, where npm has installed the package in FOLDER.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [name, folder, charts] = process.argv.slice(2);
const require = createRequire(folder + "/");
const lib = require(name);
const title = { xstate: "XState", "@scion-scxml/scxml": "SCION" }[name];
console.log(`${title} ${require(name + "/package.json").version} in node ${process.version}`);

// Each of these reads a chart and starts it.
const loaders = {
	// CHARTS has what "scxmlrun draw --format xstate" writes, in which guards and actions are names.
	XState(chart) {
		const guards = {};
		const config = JSON.parse(readFileSync(`${charts}/${chart}.json`), (key, value) => {
			if (key === "guard") guards[value] = Function("{ context: { count }, event: _event }", `return ${value}`);
			return value;
		});
		const actions = {
			"count = count + 1": lib.assign({ count: ({ context }) => context.count + 1 }),
			"xstate.raise": lib.raise((_, { event }) => event),
		};
		const actor = lib.createActor(lib.createMachine(config).provide({ guards, actions })).start();
		return {
			send: (type, data) => actor.send({ type, data }),
			states: () => actor.getSnapshot()._nodes.filter(n => n.parent).map(n => n.key),
			data: () => actor.getSnapshot().context,
		};
	},
	SCION: chart => new Promise((resolve, reject) => {
		lib.pathToModel(`${charts}/${chart}.scxml`, (err, model) => err ? reject(err) : model.prepare((err, prepared) => {
			if (err) return reject(err);
			const machine = new lib.core.Statechart(prepared);
			machine.start();
			resolve({
				send: (name, data) => machine.gen({ name, data }),
				states: () => machine.getFullConfiguration().filter(id => !id.startsWith("$")), // its own
				data: () => machine.getSnapshot()[3],
			});
		}));
	}),
};

const machines = {};
for await (const line of createInterface({ input: process.stdin })) {
	const [chart, n, ...events] = line.split(" ");
	const machine = machines[chart] ??= await loaders[title](chart);
	const data = chart === "guards";
	const start = process.hrtime.bigint();
	for (let i = 0; i < n; i++)
		for (const event of events) machine.send(event, data ? { n: i & 127 } : undefined);
	const took = process.hrtime.bigint() - start;
	console.log(String(took), ...machine.states(), ...Object.values(machine.data()));
}
