/* PCRE2's classes of bytes, in the way of brokers up to Erlang 27. */
#ifndef LQ_POLICY_LATIN1_H
#define LQ_POLICY_LATIN1_H

#include <stddef.h>
#include <stdint.h>

/* The size of a table of PCRE2, all of whose versions lay it out alike. */
#define LQ_CLASSES_SIZE ((size_t)1088)

/* Gives the bytes from 80 on the classes that they have in Latin-1. */
void lq_latin1_classes(uint8_t classes[LQ_CLASSES_SIZE]);

#endif
