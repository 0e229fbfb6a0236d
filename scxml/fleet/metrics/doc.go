// Package metrics counts what a fleet does, and writes it in the text format of Prometheus.
//
//	people := census.New()
//	m := metrics.New(people)
//	f, err := fleet.New(store, fleet.Config{Observers: []fleet.Observer{people.Observer(), m.Observer()}}, charts...)
//	…
//	err = m.Write(w, f) // as Content-Type, send metrics.ContentType
//
// The command scxmlrun serve answers with it at /metrics. The names begin with scxml_; [Names] returns
// them all. Numbers of sessions and what waits in them come from the census, so that no request reads
// the store. With several processes on one store, each of them reports all sessions, and only its own
// work: take the maximum of the gauges and the sum of the counters.
//
// Labels are bounded. Those of charts and types have at most 100 values, after which there is "other";
// the others have the values that are listed here:
//
//	status   running, final, stopped, suspended
//	reason   the kinds of census.Trouble
//	source   event (from outside), message (of another session)
//	result   of events: accepted, duplicate, or why not: not-found, ended, suspended, inbox-full,
//	         too-large, not-accepted, reused-id, many-ids, unknown-version, failed-step, unavailable,
//	         malformed;
//	         of others: ok, failed, conflict
//	kind     of steps: start, event, message, timer, report, stop; of attempts: deliver, service
package metrics
