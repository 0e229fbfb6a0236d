// Package notation writes charts in the notations of other tools, and reads charts from them.
//
// [Formats] has what it writes: the pictures of Graphviz, Mermaid, PlantUML and state-machine-cat, machines
// of XState, and scjson, which is SCXML as JSON. Each returns what its notation cannot express.
//
// [ReadSMCat] and [ReadXState] turn the charts of state-machine-cat and XState into SCXML, with notes
// about what SCXML lacks and what the file does not say.
package notation
