// Package record represents what SCXML sessions do as values.
//
// A [Record] is one thing that a session tree has done, or that was done to it. A [Recorder] makes
// records from a session's trace:
//
//	rec := record.NewRecorder(start, record.All, func(r *record.Record) { fmt.Println(r) })
//	s, err := scxml.New(chart, scxml.WithTrace(rec.Trace()))
//
// A record has a text form for people and a JSON form for machines. Both are one line, and both can
// be read back:
//
//	event tap {"x":0,"y":2}
//	{"type":"event","seq":4,"time_ms":0,"session":"3v0ke8ae3ds2r","name":"tap","data":{"x":0,"y":2},…}
//
// The JSON form is that of the machine protocol of scxmlrun, see its PROTOCOL.md, which omits the
// kinds that only recordings need. The traces of tests have the text form, without the fields that
// tests do not need.
//
// # Inputs and consequences
//
// A record is either an input or a consequence; [Record.Input] tells which. Inputs come from outside
// the session tree: the driver's clock has advanced, an event has arrived, a service or a delivery
// has failed, or a host has evaluated an expression, cancelled a delayed event or asked for a stop.
// Everything else is a consequence: a session of the same chart, with the same options and seed,
// that gets the same inputs at the same places produces the same records. The place of an input is
// its Seq in a stream of [All] kinds: it belongs between two steps, after so many records.
package record
