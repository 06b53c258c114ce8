# the static binary of an archive of Linux alone: docker build -t jstall . where jstall lies beside this file
FROM scratch
COPY jstall /jstall
ENTRYPOINT ["/jstall"]
