package rest

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// value is data in an answer.
type value struct{ v datamodel.Value }

// newValue returns data for an answer, nil if there is none.
func newValue(v datamodel.Value) *value {
	if v == nil || v == (*datamodel.Object)(nil) {
		return nil
	}
	return &value{v}
}

// MarshalJSON implements [json.Marshaler].
func (v value) MarshalJSON() ([]byte, error) { return datamodel.AppendJSON(nil, v.v), nil }

// A session is what an answer says of one.
type session struct {
	Key           string          `json:"key"`
	Chart         string          `json:"chart"`
	Hash          string          `json:"hash"`
	Status        string          `json:"status"`
	Configuration []string        `json:"configuration"`
	Data          *value          `json:"data,omitempty"`
	Enabled       []string        `json:"enabled"`
	Ended         time.Time       `json:"ended,omitzero"`
	Final         string          `json:"final,omitempty"`
	DoneData      *value          `json:"done_data,omitempty"`
	Accepted      uint64          `json:"accepted"`
	Position      uint64          `json:"position"`
	Revision      uint64          `json:"revision"`
	Inbox         int             `json:"inbox"`
	Outbox        int             `json:"outbox"`
	NextDue       time.Time       `json:"next_due,omitzero"`
	Failure       *fleet.Failure  `json:"failure,omitempty"`
	Failing       *fleet.TaskInfo `json:"failing,omitempty"`
	Broken        string          `json:"broken,omitempty"`
	Copyable      bool            `json:"copyable,omitempty"`
	Skipped       string          `json:"skipped,omitempty"`
}

// show returns the session as it is now, with its data if the token may read.
func (s *Server) show(c *call, key string) (*session, error) {
	st, err := s.cfg.Fleet.Get(c, key)
	if err != nil {
		return nil, err
	}
	body := &session{
		Key: st.Key, Chart: st.Chart, Hash: st.Hash, Status: st.Status, Ended: st.Ended.UTC(),
		Configuration: list(st.Configuration), Enabled: list(st.Enabled), Final: st.Final,
		Accepted: st.Accepted, Position: st.Processed, Revision: st.Revision, Inbox: st.Inbox, Outbox: len(st.Tasks),
		NextDue: st.NextDue.UTC(), Failure: st.Failure,
	}
	failing := func(t fleet.TaskInfo) bool { return t.Error != "" }
	if i := slices.IndexFunc(st.Tasks, failing); i >= 0 && c.token.Scopes&Read != 0 {
		body.Failing = &st.Tasks[i]
	}
	if st.Broken != nil {
		body.Broken = st.Broken.Error()
		return body, nil
	}
	if c.token.Scopes&Read != 0 {
		body.Data, body.DoneData = newValue(st.Data), newValue(st.Done)
		body.Copyable = s.cfg.Copies != nil && st.NoCopy == nil
	}
	return body, nil
}

// address returns the address of a path for an answer.
func (s *Server) address(path string) string {
	if s.cfg.URL == nil {
		return path
	}
	return s.cfg.URL.String() + path
}

func (s *Server) getSession(c *call) (int, any, error) {
	body, err := s.show(c, c.r.PathValue("key"))
	return http.StatusOK, body, err
}

// statuses are those that a session can have.
var statuses = []string{scxml.Running.String(), scxml.Final.String(), scxml.Stopped.String(), "suspended"}

func (s *Server) listSessions(c *call) (int, any, error) {
	limit, err := c.number("limit", 100, 1, 1000)
	if err != nil {
		return 0, nil, err
	}
	q := c.r.URL.Query()
	if status := q.Get("status"); q.Has("status") && !slices.Contains(statuses, status) {
		return 0, nil, malformed("status: %q is not a status: want %s", status, strings.Join(statuses, ", "))
	}
	infos, err := s.cfg.Fleet.List(c, q.Get("after"), int(limit))
	if err != nil {
		return 0, nil, err
	}
	body := struct {
		Sessions []fleet.Info `json:"sessions"`
		Next     string       `json:"next,omitempty"`
	}{Sessions: []fleet.Info{}}
	for _, r := range infos {
		if wanted(q, "chart", r.Chart) && wanted(q, "status", r.Status) {
			body.Sessions = append(body.Sessions, r)
		}
	}
	if n := len(infos); n == int(limit) {
		body.Next = infos[n-1].Key
	}
	return http.StatusOK, body, nil
}

// wanted reports whether a list has what a parameter of the query asks for.
func wanted(q url.Values, name, have string) bool { return !q.Has(name) || q.Get(name) == have }

func (s *Server) createSession(c *call) (int, any, error) {
	var body struct {
		Key   string                     `json:"key"`
		Chart string                     `json:"chart"`
		Data  map[string]json.RawMessage `json:"data"`
	}
	if err := c.decode(&body); err != nil {
		return 0, nil, err
	}
	if body.Key == "" {
		body.Key = strings.ToLower(rand.Text())
	}
	opts := fleet.CreateOptions{Chart: body.Chart}
	for id, text := range body.Data {
		v, err := datamodel.ParseJSON(text)
		if err != nil {
			return 0, nil, malformed("data item %q: %w", id, err)
		}
		if opts.Data == nil {
			opts.Data = map[string]any{}
		}
		opts.Data[id] = v
	}
	if err := s.cfg.Fleet.Create(c, body.Key, opts); err != nil {
		return 0, nil, err
	}
	c.w.Header().Set("Location", s.address("/v1/sessions/"+body.Key))
	shown, err := s.show(c, body.Key)
	return http.StatusCreated, shown, err
}

func (s *Server) deleteSession(c *call) (int, any, error) {
	return http.StatusNoContent, nil, s.cfg.Fleet.Delete(c, c.r.PathValue("key"))
}

func (s *Server) getEnabled(c *call) (int, any, error) {
	st, err := s.cfg.Fleet.Get(c, c.r.PathValue("key"))
	if err = cmp.Or(err, st.Broken); err != nil {
		return 0, nil, err
	}
	return http.StatusOK, map[string][]string{"enabled": list(st.Enabled)}, nil
}

func (s *Server) getSnapshot(c *call) (int, any, error) {
	snapshot, err := s.cfg.Fleet.Snapshot(c, c.r.PathValue("key"))
	return http.StatusOK, json.RawMessage(snapshot), err
}

// A waiting is what an answer says of an event that waits.
type waiting struct {
	Position uint64    `json:"position"`
	Time     time.Time `json:"time"`
	ID       string    `json:"id,omitempty"`
	Name     string    `json:"name"`
	Data     *value    `json:"data,omitempty"`
}

func (s *Server) getInbox(c *call) (int, any, error) {
	events, err := s.cfg.Fleet.Inbox(c, c.r.PathValue("key"))
	body := struct {
		Events []waiting `json:"events"`
	}{make([]waiting, len(events))}
	for i, w := range events {
		body.Events[i] = waiting{w.Position, w.At.UTC(), w.ID, w.Event.Name, newValue(w.Event.Data)}
	}
	return http.StatusOK, body, err
}
