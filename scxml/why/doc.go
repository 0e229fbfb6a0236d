// Package why explains what a session did, or did not do.
//
//	answer, err := why.Event(ctx, session, scxml.Event{Name: "pay", Data: 10})
//	…
//	for _, v := range answer.Verdicts {
//		fmt.Println(v) // shop.scxml:3:20: open: pay: cond false (_event.data >= total)
//	}
//
// [Event] says which transitions an event would enable and why the others are not: whose condition is false
// with which values, which one takes precedence, or that no active state reacts to it. [Data] finds the
// element that has given a data item its value, in a history.
package why
