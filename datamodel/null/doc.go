// Package null is the null data model (REC B.1): no data, no scripts, and
// conditions that can ask one thing, whether a state is active.
//
//	<transition event="door.close" cond="In(locked)" target="safe"/>
//
// REC B.1.2: "The boolean expression language consists of the In predicate
// only. It has the form 'In(id)', where id is the id of a state in the
// enclosing state machine." The id may also stand in quotes, single or double,
// as charts that are written for several data models have it, and there may be
// blanks around each part. Every other text is a syntax error.
//
// Whatever else is asked of the data model, such as a value or an assignment,
// fails with a *[datamodel.EvalError]. System variables are not accessible (REC
// B.1.6).
package null
