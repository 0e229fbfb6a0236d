// Package watermark keeps in a local file what a process knows of a store: how far it was when the last
// commit was acknowledged. A store that is behind that has lost commits, because a backup was restored, a
// disk has forgotten writes, or a replica took over that did not have them.
package watermark

import "fmt"

// A Mark is the state of a store on a server as a host knows it.
type Mark struct {
	Store    uint64 // which store it is
	Host     uint64 // in that store; 0 means that there is no mark
	Commits  uint64 // by this host
	Accepted uint64 // events, in these commits
}

var ofHost = Kind{Magic: "scxmlsm\x01", Grows: 2}

func (m Mark) numbers() Numbers { return Numbers{m.Store, m.Host, m.Commits, m.Accepted} }

// Read returns the mark in a file. It is zero if there is no file. The error for one that has no mark wraps
// damaged.
func Read(path string, damaged error) (Mark, error) {
	n, _, err := ofHost.Read(path, damaged)
	return Mark{n[0], n[1], n[2], n[3]}, err
}

// Create makes the file of a mark, or replaces what is in it.
func Create(path string, m Mark) (*File, error) { return ofHost.Create(path, m.numbers()) }

// Note is Write for the mark of a host.
func (f *File) Note(m Mark) error { return f.Write(m.numbers()) }

// Lost returns an error if a store that has a mark is behind m.
func (m Mark) Lost(has Mark, path string) error {
	if has.Commits >= m.Commits {
		return nil
	}
	return fmt.Errorf("store lost %d acknowledged events: it has %d commits of this host, which has made %d; restore the newest backup, or delete the file %q to continue without what is missing",
		m.Accepted-min(m.Accepted, has.Accepted), has.Commits, m.Commits, path)
}
