package fleet

// Owner returns the name of the host that works for a session: that processes its inbox and its timers,
// and carries out what it asks for. It is "" if that is not known, and without [Config].Host.
func (f *Fleet) Owner(i Info) string {
	if r := f.hub.runner(); r != nil && r.hosts != nil {
		name, _ := r.hosts.owner(i.Key, version{i.Chart, i.Hash})
		return name
	}
	return ""
}
