#pragma once
// What the Glibc module leaves out: epoll, eventfd, accept4, prctl, prlimit, peer credentials, file locks.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
