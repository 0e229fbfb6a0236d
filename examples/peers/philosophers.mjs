// Explores the dining philosophers with XState and prints states, transitions and processor time. The
// argument is their number.
import { createMachine, raise, stateIn } from 'xstate';
import { getAdjacencyMap } from 'xstate/graph';

const n = Number(process.argv.at(-1));
const states = {}, events = [];
for (let i = 0; i < n; i++) {
    const left = i, right = (i + 1) % n;
    states['p' + i] = { initial: 'thinks', states: {
        thinks: { on: { ['left' + i]: { guard: stateIn({ ['f' + left]: 'free' }), target: 'waits', actions: raise({ type: 'take' + left }) } } },
        waits: { on: { ['right' + i]: { guard: stateIn({ ['f' + right]: 'free' }), target: 'eats', actions: raise({ type: 'take' + right }) } } },
        eats: { on: { ['done' + i]: { target: 'thinks', actions: [raise({ type: 'put' + left }), raise({ type: 'put' + right })] } } },
    } };
    states['f' + i] = { initial: 'free', states: {
        free: { on: { ['take' + i]: 'taken' } },
        taken: { on: { ['put' + i]: 'free' } },
    } };
    events.push({ type: 'left' + i }, { type: 'right' + i }, { type: 'done' + i });
}
const machine = createMachine({ type: 'parallel', states });
const before = process.cpuUsage();
const graph = getAdjacencyMap(machine, { events });
const used = process.cpuUsage(before);
let found = 0, transitions = 0;
for (const from of Object.values(graph)) {
    found++;
    const same = JSON.stringify(from.state.value);
    transitions += Object.values(from.transitions).filter(to => JSON.stringify(to.state.value) !== same).length;
}
console.log(found, transitions, (used.user + used.system) / 1e6);
