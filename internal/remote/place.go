package remote

import (
	"errors"
	"fmt"
	"strings"
)

// Kind is how a place is reached.
type Kind string

// The kinds of places, as --on names them.
const (
	SSH        Kind = "ssh"
	Docker     Kind = "docker"
	Podman     Kind = "podman"
	Kubernetes Kind = "k8s"
	Exec       Kind = "exec"
)

// Forms are the forms of --on, for messages.
const Forms = "ssh:HOST, docker:ID, podman:ID, k8s:NAMESPACE/POD[/CONTAINER] or exec:'COMMAND'"

// Place is a machine or container.
type Place struct {
	Kind Kind
	// Word is the place as the user typed it, which is its name in reports.
	Word string
	// host is user@host of ssh, the container's id of docker and podman, or the command of exec.
	host, port string
	// of Kubernetes; the container may be empty
	namespace, pod, container string
}

// ParsePlace parses an argument of --on. It refuses names that a client would read as a flag.
func ParsePlace(word string) (Place, error) {
	kind, rest, found := strings.Cut(word, ":")
	p := Place{Kind: Kind(kind), Word: word}
	if !found {
		return p, fmt.Errorf("%q names no kind of place", word)
	}
	if strings.ContainsRune(word, 0) || strings.TrimSpace(rest) == "" {
		return p, fmt.Errorf("%q names nothing behind %q", word, kind+":")
	}
	switch p.Kind {
	case SSH:
		p.host, p.port = splitPort(rest)
	case Docker, Podman, Exec:
		p.host = rest
	case Kubernetes:
		if err := p.splitPod(rest); err != nil {
			return p, err
		}
	default:
		return p, fmt.Errorf("there is no place of the kind %q", kind)
	}
	for _, name := range []string{p.host, p.namespace, p.pod, p.container} {
		if strings.HasPrefix(name, "-") {
			return p, fmt.Errorf("%q begins with a dash: %s would take it for a flag", name, p.client())
		}
	}
	return p, nil
}

// splitPort splits host:port and [address]:port. An IPv6 address without brackets has no port.
func splitPort(host string) (name, port string) {
	at := strings.LastIndexByte(host, ':')
	if at < 0 || strings.Trim(host[at+1:], "0123456789") != "" || host[at+1:] == "" {
		return strings.Trim(host, "[]"), ""
	}
	name, port = host[:at], host[at+1:]
	if strings.Contains(name, ":") && !strings.HasSuffix(name, "]") {
		return host, ""
	}
	user, address, found := strings.Cut(name, "@")
	if !found {
		return strings.Trim(name, "[]"), port
	}
	return user + "@" + strings.Trim(address, "[]"), port
}

func (p *Place) splitPod(rest string) error {
	parts := strings.Split(rest, "/")
	if len(parts) < 2 || len(parts) > 3 {
		return errors.New("k8s needs NAMESPACE/POD or NAMESPACE/POD/CONTAINER")
	}
	for _, part := range parts {
		if part == "" {
			return errors.New("k8s needs NAMESPACE/POD or NAMESPACE/POD/CONTAINER; one of them is empty")
		}
	}
	p.namespace, p.pod = parts[0], parts[1]
	if len(parts) == 3 {
		p.container = parts[2]
	}
	return nil
}

// client is the program on this machine that reaches the place.
func (p Place) client() string {
	switch p.Kind {
	case Kubernetes:
		return "kubectl"
	case Exec:
		return "sh"
	}
	return string(p.Kind)
}
