// Package null is the null data model (REC B.1). It has no data and no scripts, and its conditions
// can only ask whether a state is active. A chart chooses it by datamodel="null":
//
//	<transition event="door.close" cond="In(locked)" target="safe"/>
//
// REC B.1.2: "The boolean expression language consists of the In predicate only. It has the form
// 'In(id)', where id is the id of a state in the enclosing state machine." The id may be in single
// or double quotes, as in charts written for several data models, and each part may be surrounded
// by blanks. Any other text is a syntax error.
//
// Everything else, such as a value or an assignment, fails with a *[datamodel.EvalError]. System
// variables are not accessible (REC B.1.6).
package null
