package cli

import (
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// allowed is how much memory all work together may take that BoundMemory bounds.
var allowed struct {
	sync.Mutex
	bytes, before int64 // before: of the runtime, without that work
	work          int
}

// BoundMemory makes the runtime collect garbage so often that the process takes at most so many bytes more than
// now, as long as what it keeps allows that. It does so until done is called. For 0 it does nothing.
func BoundMemory(bytes int64) (done func()) {
	if bytes <= 0 {
		return func() {}
	}
	allow := func(bytes int64, work int) {
		allowed.Lock()
		defer allowed.Unlock()
		if allowed.work == 0 {
			allowed.bytes, allowed.before = inUse(), debug.SetMemoryLimit(-1)
		}
		allowed.bytes += bytes
		if allowed.work += work; allowed.work == 0 {
			debug.SetMemoryLimit(allowed.before)
		} else {
			debug.SetMemoryLimit(min(allowed.before, allowed.bytes))
		}
	}
	allow(bytes, 1)
	return func() { allow(-bytes, -1) }
}

// inUse returns what the memory limit of the runtime is compared with.
func inUse() int64 {
	all := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(all)
	return int64(all[0].Value.Uint64() - all[1].Value.Uint64())
}
