package killtest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// guiltyKeys are the sessions of guilty, called after the event with which each ends its process.
var guiltyKeys = []string{"memory", "service"}

// suspended hears of a session that was suspended. Only the guilty ones may be.
func (r *Run) suspended(line string) {
	r.mu.Lock()
	r.convicted = append(r.convicted, line)
	r.mu.Unlock()
	if !strings.Contains(line, "chart=guilty") {
		r.wrongf("an innocent session was suspended: %s", line)
	}
}

// Storm kills a host n times, 50 to 900 ms apart, whether it has started or not. It reports whether the
// run continues.
func (r *Run) Storm(n int) bool {
	random := rand.New(rand.NewPCG(r.o.Seed, 2))
	for range n {
		<-time.After(time.Duration(50+random.IntN(850)) * time.Millisecond)
		if r.t.Failed() {
			return false
		}
		h := r.Hosts[random.IntN(len(r.Hosts))]
		r.During("kill", func() { h.Kill(); h.Launch() })
	}
	return true
}

// Convict lets a session end its host, which is started again, until it is suspended, and then the next
// one. It returns in words how often that was.
func (r *Run) Convict() (text string) {
	r.t.Setenv(limitVariable, "1")
	for _, h := range r.Hosts {
		h.Kill()
		h.Launch()
	}
	random := rand.New(rand.NewPCG(r.o.Seed, 3))
	for i, key := range guiltyKeys {
		r.ask(random, request{Key: key, Chart: "guilty"})
		r.ask(random, request{Key: key, Event: key, ID: key})
		began, ends := time.Now(), 0
		for told := 0; told == 0 && !r.t.Failed(); <-time.After(10 * time.Millisecond) {
			for _, h := range r.Hosts {
				if h.Ended() {
					ends++
					h.Kill()
					h.Launch()
				}
			}
			r.mu.Lock()
			told = len(r.convicted) - i
			r.mu.Unlock()
			if told > 1 || ends > 8 || time.Since(began) > 5*time.Minute {
				r.wrongf("after %d ends and %v, %d lines tell that %q was suspended", ends, time.Since(began), told, key)
			}
		}
		text += fmt.Sprintf("%q was suspended after its host had ended %d times, in %v\n", key, ends, time.Since(began).Round(time.Second))
	}
	return text
}

// guilty is a session that ends its process: by the memory of a script, or by a service. It is not a file, so that
// tests of all charts do not try it.
const guilty = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="guilty">
  <state id="calm">
    <transition event="memory"><script>const all = []; while (true) all.push('x'.repeat(1e7) + all.length)</script></transition>
    <transition event="service" target="faulty"/>
  </state>
  <state id="faulty"><invoke type="x-fault"/></state>
</scxml>`
