// Package harness runs fleets in processes of their own, which share a store, and keeps account of
// them: clients send events to any of the processes while a test kills, stops and cuts off what it
// likes, and at the end each event, delayed event and message between sessions must have happened
// once, in order, and not early.
package killtest
