package inspect

import (
	"io/fs"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/history"
)

// A member is a session of the list, or a branch of one.
type member struct {
	Session
	id     string
	branch *branchPoint // nil for a session of the program

	facts func() *facts // about the chart

	driving chan struct{} // has a value while a request drives the session; nil if only its program does

	mu     sync.Mutex
	newest newest // for streams
}

// A branchPoint is where a branch begins.
type branchPoint struct {
	Of string `json:"of"`
	At int    `json:"at"`
}

// A Session is a session for an [Inspector].
type Session struct {
	Name    string // for people
	History *history.History

	// ReadOnly says that no page can send anything to the session or stop it.
	ReadOnly bool
	// Virtual says that time advances only on command.
	Virtual bool
	// Drive makes the inspector drive the session, which was started, when a page sends something to it
	// or advances its time. Nothing else may drive it. Virtual must be set.
	Drive bool
	// Files is the folder of the chart. The forms for events read its scripts there. It may be nil.
	Files fs.FS
}

// Add adds a session to the list, and returns a function that removes it with its branches. The
// inspector shows what the history has recorded. The session's owner drives it as before; the
// inspector only calls those of its methods that every goroutine may call.
func (in *Inspector) Add(s Session) (remove func()) {
	m := &member{Session: s, facts: in.factsAbout(s)}
	if s.Drive {
		m.driving = make(chan struct{}, 1)
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.add(m)
	return func() { in.remove(m) }
}

// add gives a member its id. The caller holds mu.
func (in *Inspector) add(m *member) {
	in.last++
	m.id = strconv.Itoa(in.last)
	in.members = append(in.members, m)
}

// remove removes a member and what branches from it.
func (in *Inspector) remove(m *member) {
	in.mu.Lock()
	defer in.mu.Unlock()
	gone := map[string]bool{m.id: true}
	in.members = slices.DeleteFunc(in.members, func(other *member) bool { // branches come after what they branch from
		if other.branch != nil && gone[other.branch.Of] {
			gone[other.id] = true
		}
		return gone[other.id]
	})
}

// member returns the member with an id.
func (in *Inspector) member(id string) (*member, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, m := range in.members {
		if m.id == id {
			return m, nil
		}
	}
	return nil, refuse(http.StatusNotFound, "there is no session %q", id)
}

// A session is a member in answers.
type session struct {
	ID       string       `json:"id"`
	Name     string       `json:"name"`
	Chart    string       `json:"chart"`
	Clock    string       `json:"clock"`
	Status   string       `json:"status"`
	Final    string       `json:"final"`
	First    int          `json:"first"`
	Length   int          `json:"length"`
	Branch   *branchPoint `json:"branch"`
	ReadOnly bool         `json:"readonly"`
}

func (m *member) view(access Access) session {
	status, final := m.History.Status()
	s := session{
		ID: m.id, Name: m.Name, Chart: m.History.Chart().Name(), Clock: "real", Status: status.String(), Final: final,
		First: m.History.First(), Length: m.History.Len(), Branch: m.branch, ReadOnly: m.ReadOnly || access != Full,
	}
	if m.Virtual {
		s.Clock = "virtual"
	}
	return s
}

// A memberList is the list of sessions.
type memberList struct {
	ReadOnly bool      `json:"readonly"`
	Token    string    `json:"token"` // of read-only links
	Sessions []session `json:"sessions"`
}

func (in *Inspector) list(access Access) memberList {
	in.mu.Lock()
	members := slices.Clone(in.members)
	in.mu.Unlock()
	l := memberList{ReadOnly: access != Full, Sessions: []session{}}
	if in.cfg.Access == nil {
		l.Token = in.cfg.ReadToken
	}
	for _, m := range members {
		l.Sessions = append(l.Sessions, m.view(access))
	}
	return l
}

// chartTime returns a time as the time since the start.
func (m *member) chartTime(t time.Time) milliseconds {
	return milliseconds(max(0, t.Sub(m.History.Start())))
}

// addBranch adds a branch of m unless there are too many, or m was removed meanwhile.
func (in *Inspector) addBranch(b, m *member) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	if !slices.Contains(in.members, m) {
		return refuse(http.StatusNotFound, "session %q was removed", m.Name)
	}
	branches := 0
	for _, m := range in.members {
		if m.branch != nil {
			branches++
		}
	}
	if most := in.cfg.MaxBranches; branches >= most {
		return refuse(http.StatusConflict, "there are %d branches, which is the limit; close one", most)
	}
	in.add(b)
	return nil
}
