// Package pool drives very many sessions in real time with a few goroutines: 100,000 of them are a
// question of memory.
//
//	p := pool.New(pool.Config{Ended: func(s *scxml.Session, err error) { log.Println(s.FinalState(), err) }})
//	go p.Run(ctx)
//	chart := scxml.MustLoad(files, "sensor.scxml")
//	sensor, err := p.Add(ctx, chart, scxml.WithTrace(trace))
//	if err != nil {
//		return err
//	}
//	err = sensor.Send(scxml.Event{Name: "report"}) // from any goroutine
//
// A session of a pool is used like one that [scxml.Session.Run] drives on another goroutine:
// [scxml.Session.Send], [scxml.Session.Stop] and [scxml.Session.Status] at any time, and all that
// belongs to the owner inside [scxml.Session.Call]. One [scxml.Trace] for all sessions hears what they
// do; its functions are called on the goroutines of the pool.
//
// # How it works
//
// Each session belongs to one worker, a goroutine that drives it. A worker looks only at sessions that
// have something to do. It learns of work from [scxml.WithWake], which puts the session into the
// worker's list, and of delayed events from [scxml.Session.NextDue], in a heap with one timer for all. A
// session at rest is in no list, and costs its memory alone.
//
// Events that are sent are processed at the time at which the worker takes them. A delayed event is
// processed at the time at which it is due, however late the worker is. Sessions of one worker that are
// due are driven in the order of their times. A session with much work gives way to the others after
// 100 macrosteps. A function or a script that takes long holds up the sessions of its worker: work that
// takes long is for services, see [scxml.WithInvoker].
//
// # A graceful end
//
// To cancel the context of [Pool.Run] ends no session. When Run has returned, the sessions are intact
// and belong to the caller, who can save them for [Pool.Restore] in another process:
//
//	<-ctx.Done() // of signal.NotifyContext; nothing adds sessions any more
//	running.Wait()
//	for _, s := range p.Sessions() {
//		snapshot, err := s.Suspend()
//		…
//	}
//
// Sessions that must survive a crash, too, belong in a fleet, see package fleet. Package drive is the
// loop around one session for a front end.
package pool
