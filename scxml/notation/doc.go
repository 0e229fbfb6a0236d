// Package notation writes charts in the notations of other tools.
//
// [Formats] has what it writes: the pictures of Graphviz, Mermaid, PlantUML and state-machine-cat, and
// scjson, which is SCXML as JSON. Each returns what its notation cannot express.
package notation
