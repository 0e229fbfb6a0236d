package fleet

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A policy is that for a task, with all defaults.
type policy scxml.Retry

// policy returns that of a task for the outside: what its chart asks for, else what the host does.
func (r *runner) policy(j *job) policy {
	var p scxml.Retry
	if r.f.cfg.Retry != nil {
		p = r.f.cfg.Retry(j.out)
	}
	asked := j.out.Message.Retry
	if j.kind == scxml.TaskInvoke {
		if asked = j.out.Service.Retry; asked == nil && p.String() == "" {
			p.Attempts = 1
		}
	}
	if asked == nil {
		asked = new(scxml.Retry)
	}
	return policy{
		Attempts: cmp.Or(asked.Attempts, p.Attempts),
		First:    cmp.Or(asked.First, p.First, time.Second),
		Longest:  cmp.Or(asked.Longest, p.Longest, 5*time.Minute),
		Factor:   cmp.Or(asked.Factor, p.Factor, 2),
		Jitter:   cmp.Or(asked.Jitter, p.Jitter),
		Final:    slices.Concat(asked.Final, p.Final),
	}
}

// isLast reports whether a task that has failed is not tried again.
func (r *runner) isLast(j *job, err error) bool {
	p := r.policy(j)
	var named interface{ ErrorName() string }
	return errors.Is(err, ErrRefused) || errors.As(err, &named) && slices.Contains(p.Final, named.ErrorName()) ||
		p.Attempts > 0 && j.attempts+1 >= p.Attempts || r.f.cfg.Now().Sub(j.since) >= r.f.cfg.GiveUp
}

// after returns how long to wait after some attempts: at random, but a simulation can be repeated.
func (p policy) after(attempts int, j *job) time.Duration {
	longest := float64(max(p.Longest, p.First))
	wait := min(float64(p.First)*math.Pow(max(p.Factor, 1), float64(attempts-1)), longest)
	h := fnv.New64a()
	fmt.Fprint(h, j.key, " ", j.step, j.id, attempts)
	share := float64(h.Sum64()>>11) / (1 << 53) // from 0 to 1
	return time.Duration(min(wait*(1+min(p.Jitter, 1)*(2*share-1)), longest))
}
