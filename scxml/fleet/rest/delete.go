package rest

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

const (
	deleteAtOnce = 1000          // sessions that a request looks at
	oldest       = 9_000_000_000 // seconds, less than a Duration has
)

func (s *Server) deleteSessions(c *call) (int, any, error) {
	var in struct {
		Chart  string   `json:"chart"`
		Status []string `json:"status"`
		Older  int64    `json:"older"`
		Try    bool     `json:"try"`
		After  string   `json:"after"`
		Limit  int      `json:"limit"`
	}
	if err := c.decode(&in); err != nil {
		return 0, nil, err
	}
	for _, status := range in.Status {
		switch {
		case !slices.Contains(statuses, status):
			return 0, nil, malformed("status: %q is not a status: want %s", status, strings.Join(statuses, ", "))
		case in.Older != 0 && (status == "running" || status == "suspended"):
			return 0, nil, malformed("older: a session that is %s has no age: it has not ended", status)
		}
	}
	if in.Older < 0 || in.Older > oldest {
		return 0, nil, malformed("older: want 0 to %d seconds", int64(oldest))
	}
	if in.Limit < 0 || in.Limit > deleteAtOnce {
		return 0, nil, malformed("limit: want 1 to %d", deleteAtOnce)
	}
	d, err := s.cfg.Fleet.DeleteAll(c, fleet.Selection{
		Chart: in.Chart, Status: in.Status, Older: time.Duration(in.Older) * time.Second, Try: in.Try,
	}, in.After, cmp.Or(in.Limit, deleteAtOnce))
	return http.StatusOK, struct {
		Deleted int    `json:"deleted"`
		Busy    int    `json:"busy"`
		Next    string `json:"next,omitempty"`
	}{d.Deleted, d.Busy, d.Next}, err
}
