// Package gen writes Go constants for the names in a chart, so that a program that uses a name
// which the chart does not have is not compiled. It is what scxmlrun gen go runs:
//
//	//go:generate go run github.com/scxmlrun/scxmlrun/cmd/scxmlrun gen go door.scxml -o door_gen.go
//
// For a chart with the state closed, which takes the event push.hard, the file has
//
//	const StateClosed = "closed" // door.scxml:2:3
//	const EventPushHard = "push.hard" // door.scxml:3:5
//
// # Constants
//
//	State…   ids of states
//	Event…   events that transitions name, without a final ".*"
//	Send…    events that <send> names
//	Data…    ids of top-level data items
//
// Computed names (eventexpr), "*", states without an id, and the documents that a chart invokes do
// not have constants.
//
// # Names
//
// The name of a constant has the words of the id in one, each with a capital letter first; what is
// neither a letter nor a digit only separates words. So "updateGUI" is UpdateGUI, and "push.hard" and
// "push-hard" are both PushHard. Ids of one kind that would share a name are spelled out instead, all
// of them: after an underscore, with _HEX_ for each character that is neither a letter nor a digit,
// as in Event_push_2e_hard and Event_push_2d_hard. The same goes for an id without any
// letter or digit. Names depend on the set of ids alone, not on their order.
package gen
